import ChatModel

/// What the machine is compared with: one conversation without windows in memory, batches or stores; everything is searched anew.
struct ConversationModel {
  struct Message {
    let number: Int64
    let sender: String
    let quotes: Int64?
    let createdAt: Timestamp
    var editedAt: Timestamp?
    var text: String
    var isDeleted = false
    /// The emoji in the order in which they came, with who reacted.
    var reactions: [(emoji: ReactionEmoji, users: Set<String>)] = []
  }

  struct Place {
    let joined: Int64
    let joinedAt: Timestamp
    var access = Access.readWrite
    var marker: Int64
    var readUntil: Timestamp
    var isMarked = false
  }

  struct Watcher {
    let viewer: String
    let kind: TopicKind
    /// Nil while nothing is seen.
    var floor: Int64?
  }

  let id: ConversationID
  let settings: ChatSettings
  var exists = false
  var subject: String?
  var createdAt: Timestamp = 0
  var revision: Int64 = 0
  var clock: Timestamp = 0
  var pinned: Int64?
  var messages: [Message] = [] {
    didSet { living = messages.filter { !$0.isDeleted } }
  }
  private(set) var living: [Message] = []
  var places: [String: Place] = [:]
  /// Who might only read when they left, and is not back.
  var formerReaders: Set<String> = []
  var banned: Set<String> = []
  var muted: Set<String> = []
  var names: [String: String] = [:]
  /// Who types, in order, with the ends of both leases.
  var typists: [(user: String, mark: UInt64, start: UInt64)] = []

  // MARK: Changes

  mutating func step(_ wall: Timestamp) -> (Int64, Timestamp) {
    revision += 1
    clock = max(clock, wall)
    return (revision, clock)
  }

  mutating func join(_ user: String, _ wall: Timestamp) {
    guard places[user] == nil else { return }
    if !exists {
      exists = true
      createdAt = wall
      clock = wall
    }
    let (revision, now) = step(wall)
    let access: Access = formerReaders.remove(user) == nil ? .readWrite : .read
    places[user] = Place(joined: revision, joinedAt: now, access: access, marker: revision, readUntil: now)
  }

  mutating func leave(_ user: String, _ wall: Timestamp) {
    guard let place = places.removeValue(forKey: user) else { return }
    if place.access == .read { formerReaders.insert(user) }
    _ = step(wall)
    typists.removeAll { $0.user == user }
  }

  /// A ban and a mute, or what is lifted.
  mutating func restrict(_ user: String, ban: Bool, mute: Bool, _ wall: Timestamp) {
    guard banned.contains(user) != ban || muted.contains(user) != mute else { return }
    if ban { banned.insert(user) } else { banned.remove(user) }
    if mute { muted.insert(user) } else { muted.remove(user) }
    if ban, places[user] != nil { leave(user, wall) } else { _ = step(wall) }
    if ban || mute { typists.removeAll { $0.user == user } }
  }

  mutating func send(_ text: String, _ user: String, quoting: Int64?, _ wall: Timestamp) {
    let (number, now) = step(wall)
    messages.append(Message(number: number, sender: user, quotes: quoting, createdAt: now, text: text))
    places[user]?.marker = number
    places[user]?.readUntil = now
    places[user]?.isMarked = false
    typists.removeAll { $0.user == user }
  }

  mutating func edit(_ index: Int, _ text: String, _ wall: Timestamp) {
    messages[index].text = text
    messages[index].editedAt = step(wall).1
  }

  mutating func delete(_ index: Int, _ wall: Timestamp) {
    messages[index].isDeleted = true
    if pinned == messages[index].number { pinned = nil }
    _ = step(wall)
  }

  mutating func react(_ index: Int, _ emoji: ReactionEmoji, _ user: String, isAdded: Bool, _ wall: Timestamp) {
    var reactions = messages[index].reactions
    let kind = reactions.firstIndex { $0.emoji == emoji }
    guard isAdded != (kind.map { reactions[$0].users.contains(user) } ?? false) else { return }
    if let kind {
      if isAdded { reactions[kind].users.insert(user) } else { reactions[kind].users.remove(user) }
    } else {
      reactions.append((emoji, [user]))
    }
    messages[index].reactions = reactions.filter { !$0.users.isEmpty }
    _ = step(wall)
  }

  mutating func pin(_ number: Int64?, _ wall: Timestamp) {
    if pinned != number { _ = step(wall) }
    pinned = number
  }

  mutating func markAsRead(_ user: String, _ wall: Timestamp) {
    guard let place = places[user] else { return }
    var changed = place
    if let last = living.last, last.number > place.marker {
      changed.marker = last.number
      changed.readUntil = max(changed.readUntil, last.createdAt)
    }
    changed.isMarked = false
    if changed.marker != place.marker || place.isMarked { _ = step(wall) }
    places[user] = changed
  }

  mutating func type(_ user: String, mark: UInt64?, start: UInt64?) {
    if let index = typists.firstIndex(where: { $0.user == user }) {
      if let mark { typists[index].mark = mark }
      if let start { typists[index].start = start }
    } else {
      typists.append((user, mark ?? 0, start ?? 0))
    }
  }

  mutating func expire(_ tick: UInt64) { typists.removeAll { max($0.mark, $0.start) <= tick } }

  // MARK: Windows

  /// The floor of a window that is opened now.
  func firstFloor(_ kind: TopicKind) -> Int64 {
    kind == .messages ? floor(living.map(\.number), settings.messages.initial) : floor(joins, settings.participants.initial)
  }

  func grownFloor(_ watcher: Watcher, _ count: Int) -> Int64 {
    let all = watcher.kind == .messages ? living.map(\.number) : joins
    return floor(all, min(settings.maxWindowItems, all.count { $0 >= watcher.floor ?? 0 } + count))
  }

  /// Moves windows to where membership and their bound want them.
  func settled(_ watcher: Watcher) -> Watcher {
    var watcher = watcher
    guard places[watcher.viewer] != nil else {
      watcher.floor = nil
      return watcher
    }
    let bound = floor(watcher.kind == .messages ? living.map(\.number) : joins, settings.maxWindowItems)
    watcher.floor = max(watcher.floor ?? firstFloor(watcher.kind), bound)
    return watcher
  }

  private func floor(_ ascending: [Int64], _ count: Int) -> Int64 { count < ascending.count ? ascending[ascending.count - count] : 0 }

  // MARK: Snapshots

  private var joins: [Int64] { places.values.map(\.joined).sorted() }

  func snapshot(for watcher: Watcher) -> TopicSnapshot {
    let place = places[watcher.viewer]
    switch watcher.kind {
    case .conversation: return .conversation(place.map { conversation(watcher.viewer, $0) })
    case .messages:
      guard place != nil, let floor = watcher.floor else { return .messages(nil, loadedAll: true) }
      let shown = living.filter { $0.number >= floor }.reversed().map { message($0, watcher.viewer) }
      return .messages(shown, loadedAll: !living.contains { $0.number < floor })
    case .participants:
      guard place != nil, let floor = watcher.floor else { return .participants(nil, loadedAll: true) }
      let shown = places.filter { $0.value.joined >= floor }.sorted { $0.value.joined > $1.value.joined }
      return .participants(
        shown.map { ParticipantSnapshot(user: user($0.key), record: record($0.key, $0.value)) },
        loadedAll: !joins.contains { $0 < floor })
    default:
      guard place != nil else { return .typing(nil) }
      let others = typists.map(\.user).filter { $0 != watcher.viewer }
      return .typing(others.count > 5 ? .many : .few(others.map(user)))
    }
  }

  func conversation(_ viewer: String, _ place: Place) -> ConversationSnapshot {
    var record = ConversationRecord(id: id, type: .group, pair: nil, createdAt: createdAt)
    record.subject = subject
    return ConversationSnapshot(
      record: record, viewer: self.record(viewer, place), lastMessage: living.last.map { message($0, viewer) },
      unreadMessageCount: living.count { $0.number > place.marker }, everyoneReadUntil: places.values.map(\.readUntil).min(),
      pinnedMessage: living.first { $0.number == pinned }.map { message($0, viewer) })
  }

  private func record(_ user: String, _ place: Place) -> ParticipantRecord {
    ParticipantRecord(
      user: UserID(stored: user), access: place.access, notify: .always, joinedAt: place.joinedAt, joinedRevision: place.joined,
      readMarker: place.marker, readUntil: place.readUntil, isMarkedUnread: place.isMarked, revision: 0)
  }

  private func user(_ user: String) -> UserSnapshot {
    UserRecord(id: UserID(stored: user), name: names[user] ?? user, createdAt: 1).snapshot
  }

  private func reactions(_ message: Message, _ viewer: String) -> [ReactionSnapshot] {
    message.reactions.map {
      ReactionSnapshot(emoji: $0.emoji, count: $0.users.count, currentUserReacted: $0.users.contains(viewer))
    }
  }

  private func message(_ message: Message, _ viewer: String) -> MessageSnapshot {
    let quoted = message.quotes.flatMap { number in living.last { $0.number <= number } }.flatMap { $0.number == message.quotes ? $0 : nil }
    return MessageSnapshot(
      id: MessageID(message.number, in: id), conversation: id, type: .user, sender: user(message.sender), custom: CustomFields(),
      createdAt: message.createdAt, editedAt: message.editedAt,
      referencedMessage: quoted.map { quoted in
        ReferencedMessageSnapshot(
          id: MessageID(quoted.number, in: id), conversation: id, type: .user, sender: user(quoted.sender), custom: CustomFields(),
          createdAt: quoted.createdAt, editedAt: quoted.editedAt,
          referencedMessageId: quoted.quotes.map { MessageID($0, in: id) }, origin: .web, content: ContentBlock.plain(quoted.text),
          reactions: reactions(quoted, viewer))
      }, origin: .web, content: ContentBlock.plain(message.text), reactions: reactions(message, viewer))
  }
}
