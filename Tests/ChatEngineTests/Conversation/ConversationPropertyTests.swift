import ChatEngine
import ChatModel
import TestSupport
import Testing

/// Numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}

/// Drives a machine and a model with the same random events.
private struct RandomConversation {
  var fixture: ConversationFixture
  var model: ConversationModel
  var random: SplitMix
  var watchers: [SubscriberID: ConversationModel.Watcher] = [:]
  var names: [String: Int64] = [:]
  /// Calls that wait for the store, and whether they will succeed; decided in batches when the wait is over.
  var waiting: [(call: CallID, succeeds: Bool, name: String)] = []
  /// How many more events come before the store answers.
  var patience = 0
  static let users = ["ann", "bob", "cy", "dan", "eve"]

  init(seed: UInt64) {
    var settings = ChatSettings()
    settings.maxWindowItems = 9
    settings.messages.initial = 4
    settings.participants.initial = 2
    fixture = ConversationFixture(settings: settings)
    model = ConversationModel(id: fixture.id, settings: settings)
    for user in Self.users { model.names[user] = user.uppercased() }
    random = SplitMix(state: seed)
    fixture.moment.listUsers = [UserID(stored: "ann"), UserID(stored: "bob")]
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  /// One event, told to both.
  mutating func step() -> String {
    let user = Self.users[below(5)]
    if patience > 0 { return waitingStep(user) }
    fixture.moment.wall += Timestamp(below(3)) - (below(20) == 0 ? 5 : 0)
    if below(20) == 0 {
      patience = 2 + below(28)
      fixture.mode = .waits
      return waitingStep(user)
    }
    switch below(100) {
    case 0..<8: return join(user)
    case 8..<11: return leave(user)
    case 11..<32: return send(user)
    case 32..<38: return react(user)
    case 38..<40: return pin(user)
    case 40..<48: return edit(user)
    case 48..<56: return delete(user)
    case 56..<63: return markAsRead(user)
    case 63..<66: return markAsUnread(user)
    case 66..<73: return type(user)
    case 73..<76: return pass()
    case 76..<79: return rename(user)
    case 79..<85: return subscribe(user)
    case 85..<88: return unsubscribe()
    case 88..<93: return loadMore()
    case 93..<96: return setSubject(user)
    case 96: return setAccess(user)
    case 97: return restrict(user)
    default: return failure(user)
    }
  }

  /// An event while the store does not answer; time stands still, for it counts when a call is decided.
  private mutating func waitingStep(_ user: String) -> String {
    patience -= 1
    let event: String =
      switch below(16) {
      case 13...14: react(user)
      case 15: pin(user)
      case 0: join(user)
      case 1: leave(user)
      case 2...5: send(user)
      case 6: edit(user)
      case 7: markAsRead(user)
      case 8: markAsUnread(user)
      case 9: type(user)
      case 10: setSubject(user)
      case 11 where below(3) == 0: restrict(user)
      default: setAccess(user)
      }
    for (id, watcher) in watchers where watcher.kind == .messages || watcher.kind == .participants { watchers[id] = model.settled(watcher) }
    guard patience == 0 else { return event }
    fixture.releaseAll()
    for (call, succeeds, name) in waiting { expectEqual(fixture.replies[call]?.outcome == "ok", succeeds, name) }
    let events = waiting.map(\.name).joined(separator: "; ")
    waiting = []
    return events
  }

  private var wall: Timestamp { fixture.moment.wall }

  private func mayWrite(_ user: String) -> Bool { model.places[user]?.access == .readWrite }

  private func maySpeak(_ user: String) -> Bool { mayWrite(user) && !model.muted.contains(user) }

  /// Makes a call and checks whether it succeeds as it should; calls add a millisecond of their own.
  private mutating func call(_ operation: ConversationOperation, _ user: String, _ kind: Caller.Kind = .user, succeeds: Bool) {
    if case .waits = fixture.mode {
      waiting.append((fixture.begin(operation, by: user, kind), succeeds, "\(operation) by \(user)"))
      return
    }
    let outcome = fixture.call(operation, by: user, kind)?.outcome
    expectEqual(outcome == "ok", succeeds, "\(operation) by \(user): \(outcome ?? "no reply")")
  }

  private mutating func join(_ user: String) -> String {
    let succeeds = !model.banned.contains(user)
    call(.join, user, succeeds: succeeds)
    if succeeds { model.join(user, wall) }
    return "join \(user)"
  }

  private mutating func leave(_ user: String) -> String {
    let other = Self.users[below(5)]
    let succeeds = model.exists && (user == other ? model.places[user] != nil : mayWrite(user))
    call(.deleteParticipant(UserID(stored: other)), user, succeeds: succeeds)
    if succeeds { model.leave(other, wall) }
    return "\(user) removes \(other)"
  }

  private mutating func anyMessage() -> Int? { model.messages.isEmpty ? nil : max(0, model.messages.count - 1 - below(40)) }

  private mutating func send(_ user: String) -> String {
    let index = below(3) == 0 ? anyMessage() : nil
    let quoted = index.map { model.messages[$0] }
    let text = "text \(below(1000))"
    let succeeds = maySpeak(user) && quoted?.isDeleted != true
    call(.text(text, answering: quoted.map { MessageID($0.number, in: model.id) }), user, succeeds: succeeds)
    if succeeds { model.send(text, user, quoting: quoted?.number, wall) }
    return "\(user) sends \(text)"
  }

  private mutating func edit(_ user: String) -> String {
    guard let index = anyMessage() else { return "" }
    let message = model.messages[index]
    let succeeds = maySpeak(user) && !message.isDeleted && message.sender == user
    let edit = MessageEdit(content: ContentBlock.plain("edited \(below(1000))"))
    call(.editMessage(MessageID(message.number, in: model.id), edit), user, succeeds: succeeds)
    if succeeds { model.edit(index, edit.content?.plaintext ?? "", wall) }
    return "\(user) edits \(message.number)"
  }

  private mutating func delete(_ user: String) -> String {
    guard let index = anyMessage() else { return "" }
    let message = model.messages[index]
    let isOwn = message.sender == user
    call(.deleteMessage(MessageID(message.number, in: model.id)), user, succeeds: mayWrite(user) && (message.isDeleted || isOwn))
    if mayWrite(user), isOwn, !message.isDeleted { model.delete(index, wall) }
    return "\(user) deletes \(message.number)"
  }

  private mutating func react(_ user: String) -> String {
    guard let index = anyMessage() else { return "" }
    let message = model.messages[index]
    let emoji = ReactionEmoji(stored: ":\(below(3)):")
    let (isAdded, id) = (below(5) < 3, MessageID(message.number, in: model.id))
    let succeeds = (isAdded ? maySpeak(user) : mayWrite(user)) && !message.isDeleted
    call(isAdded ? .addReaction(id, emoji) : .removeReaction(id, emoji), user, succeeds: succeeds)
    if succeeds { model.react(index, emoji, user, isAdded: isAdded, wall) }
    return "\(user) \(isAdded ? "reacts" : "takes back a reaction") to \(message.number) with \(emoji)"
  }

  private mutating func pin(_ user: String) -> String {
    let message = below(4) == 0 ? nil : anyMessage().map { model.messages[$0] }
    let succeeds = mayWrite(user) && message?.isDeleted != true
    call(message.map { .pin(MessageID($0.number, in: model.id)) } ?? .unpin, user, succeeds: succeeds)
    if succeeds { model.pin(message?.number, wall) }
    return "\(user) pins \(message?.number ?? 0)"
  }

  private mutating func markAsRead(_ user: String) -> String {
    call(.markAsRead(upTo: nil), user, succeeds: model.places[user] != nil)
    model.markAsRead(user, wall)
    return "\(user) reads"
  }

  private mutating func markAsUnread(_ user: String) -> String {
    call(.markAsUnread, user, succeeds: model.places[user] != nil)
    if model.places[user]?.isMarked == false {
      model.places[user]?.isMarked = true
      _ = model.step(wall)
    }
    return "\(user) marks as unread"
  }

  private mutating func type(_ user: String) -> String {
    let now = fixture.moment.tick
    switch below(3) {
    case 0:
      call(.markAsTyping, user, succeeds: maySpeak(user))
      if maySpeak(user) { model.type(user, mark: now + 10_000, start: nil) }
    case 1:
      call(.startTyping, user, succeeds: maySpeak(user))
      if maySpeak(user) { model.type(user, mark: nil, start: now + 5_000) }
    default:
      call(.stopTyping, user, succeeds: maySpeak(user))
      if maySpeak(user), let index = model.typists.firstIndex(where: { $0.user == user }) { model.typists[index].start = 0 }
      model.expire(now)
    }
    return "\(user) types"
  }

  private mutating func pass() -> String {
    fixture.pass(UInt64(below(6_000)))
    model.expire(fixture.moment.tick)
    return "time passes"
  }

  private mutating func rename(_ user: String) -> String {
    names[user, default: 1] += 1
    let name = "\(user) \(names[user] ?? 0)"
    fixture.rename(user, to: name, revision: names[user] ?? 0)
    model.names[user] = name
    fixture.pass(100)
    model.expire(fixture.moment.tick)
    return "rename \(user)"
  }

  private mutating func subscribe(_ user: String) -> String {
    guard watchers.count < 12 else { return "" }
    let kind = [TopicKind.conversation, .messages, .messages, .participants, .typing][below(5)]
    watchers[fixture.subscribe(kind, by: user)] = ConversationModel.Watcher(viewer: user, kind: kind)
    return "\(user) subscribes to \(kind)"
  }

  private mutating func anyWatcher() -> SubscriberID? {
    let all = watchers.keys.sorted { $0.serial < $1.serial }
    return all.isEmpty ? nil : all[below(all.count)]
  }

  private mutating func unsubscribe() -> String {
    guard let id = anyWatcher() else { return "" }
    fixture.unsubscribe(id)
    watchers[id] = nil
    fixture.shown[id] = nil
    return "unsubscribe"
  }

  private mutating func loadMore() -> String {
    guard let id = anyWatcher(), let watcher = watchers[id], watcher.kind == .messages || watcher.kind == .participants else { return "" }
    let count = 1 + below(5)
    let call = fixture.loadMore(count, for: id)
    guard let reply = fixture.replies[call] else {
      expect(false, "no reply to loadMore")
      return ""
    }
    if case .success = reply, watcher.floor != nil { watchers[id]?.floor = model.grownFloor(watcher, count) }
    return "load \(count) more: \(reply.outcome)"
  }

  private mutating func setSubject(_ user: String) -> String {
    var patch = ConversationPatch()
    patch.subject = .set("subject \(below(1000))")
    let mayJoin = !model.formerReaders.contains(user) && !model.banned.contains(user)
    let succeeds = model.places[user] == nil ? mayJoin : mayWrite(user)
    call(.set(patch), user, succeeds: succeeds)
    guard succeeds else { return "" }
    // One call is one change: a set that creates or joins counts once.
    if model.places[user] == nil { model.join(user, wall) } else { _ = model.step(wall) }
    if case .set(let subject) = patch.subject {
      if model.subject == subject { model.revision -= 1 }
      model.subject = subject
    }
    return "\(user) sets the subject"
  }

  private mutating func setAccess(_ user: String) -> String {
    let other = Self.users[below(5)]
    guard user != other, model.places[other] != nil else { return "" }
    let access: Access = below(8) == 0 ? .read : .readWrite
    call(.editParticipant(UserID(stored: other), ParticipantPatch(access: .set(access))), user, succeeds: mayWrite(user))
    if mayWrite(user), model.places[other]?.access != access {
      model.places[other]?.access = access
      _ = model.step(wall)
    }
    return "\(user) gives \(other) \(access)"
  }

  /// The backend bans or mutes somebody, or lifts both, which it does more often.
  private mutating func restrict(_ user: String) -> String {
    let (ban, mute) = (below(8) == 0, below(8) == 0)
    call(.restrict(UserID(stored: user), Restriction(isBanned: ban, isMuted: mute)), "backend", .app, succeeds: model.exists)
    if model.exists { model.restrict(user, ban: ban, mute: mute, wall) }
    return "\(user) is banned: \(ban), muted: \(mute)"
  }

  /// A change that the store does not keep, and whatever was loaded before is loaded again.
  private mutating func failure(_ user: String) -> String {
    guard maySpeak(user) else { return "" }
    fixture.mode = .fails(ConversationFixture.full)
    expectEqual(fixture.call(.text("lost"), by: user)?.outcome, "110", "the store fails")
    fixture.mode = .answers
    fixture.pass(1_000)
    model.typists.removeAll { $0.user == user }
    model.expire(fixture.moment.tick)
    return "failure"
  }

  /// Compares what everybody saw last with what the model shows.
  mutating func check(_ event: String, _ number: Int) -> Bool {
    if patience > 0 { return true }
    var isGood = true
    for (id, watcher) in watchers {
      let settled = watcher.kind == .messages || watcher.kind == .participants ? model.settled(watcher) : watcher
      watchers[id] = settled
      let expected = model.snapshot(for: settled)
      if fixture.last(id) != expected {
        expectEqual(fixture.last(id), expected, "step \(number), \(event): \(watcher.kind) of \(watcher.viewer)")
        isGood = false
      }
    }
    for user in ["ann", "bob"] {
      guard let told = fixture.lists[UserID(stored: user)]?.last else { continue }
      let expected = model.places[user].map { model.conversation(user, $0) }
      if told != expected {
        expectEqual(told, expected, "step \(number), \(event): the list of \(user)")
        isGood = false
      }
    }
    return isGood
  }
}

@Test func `after any history everybody sees what a plain model shows`() {
  var shown = 0
  var batches = 0
  for seed in 1...5 as ClosedRange<UInt64> {
    var conversation = RandomConversation(seed: seed)
    for number in 1...1_000 {
      let event = conversation.step()
      guard conversation.check("seed \(seed), \(event)", number) else { return }
    }
    shown += conversation.fixture.actions.count { if case .publish = $0 { true } else { false } }
    batches += conversation.fixture.commits.count { $0.changes.count > 6 }
  }
  expect(shown > 2_000, "somebody watched: \(shown)")
  expect(batches > 50, "some changes were kept together: \(batches)")
}
