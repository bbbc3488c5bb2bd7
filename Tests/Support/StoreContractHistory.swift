import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  /// Plays a random history of changes, some of them not allowed, and compares every query with the model.
  static func checkHistory(_ store: StoreUnderTest, seed: UInt64) async {
    var store = store
    var random = SplitMix(state: seed)
    for step in 1...25 {
      let sets = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        ChangeSet((0..<Int.random(in: 1...5, using: &random)).map { _ in change(&random) })
      }
      await store.commit(sets, comment: "step \(step)")
      if step.isMultiple(of: 5) { await store.compare(allQueries(&random), comment: "step \(step)") }
    }
  }

  private static let names = ["ann", "bob", "eve"]
  private static let conversations =
    ["a", "b", "c", "d"] + [(3, "a"), (5, "a"), (4, "b")].map { Make.thread($0.0, in: $0.1).text }

  private static func change(_ random: inout SplitMix) -> Change {
    let id = Make.id(conversations.randomElement(using: &random) ?? "a")
    let name = names.randomElement(using: &random) ?? "ann"
    let number = MessageNumber.random(in: 1...40, using: &random)
    switch Int.random(in: 0..<36, using: &random) {
    case 0: return .deleteConversation(id)
    case 1...4:
      var record = Make.conversation(id.text, revision: number)
      record.pinned = number.isMultiple(of: 3) ? number : nil
      return .putConversation(record)
    case 5: return .putUser(number.isMultiple(of: 2) ? Make.fullUser(name) : UserRecord(id: Make.user(name), name: name, createdAt: number))
    case 6...8: return .putParticipant(id, participant(name, number, &random))
    case 9: return .removeParticipant(id, Make.user(name), revision: number)
    case 10...13: return .updateMessage(id, Make.tombstone(of: Make.message(number, from: name), revision: number + 100))
    case 14: return .updateMessage(id, Make.message(number, from: name, text: "edited", answering: number / 2))
    case 24: return .removeRestriction(id, Make.user(name))
    case 25, 26: return .putRestriction(id, Make.restriction(name, isBanned: number.isMultiple(of: 2), isMuted: number.isMultiple(of: 3)))
    case 27...28: return .putReaction(id, Make.reaction(number, by: name))
    case 29: return .removeReaction(id, Make.reaction(number, by: name))
    case 30:
      var message = Make.message(number, from: name)
      message.reactions = [ReactionCount(emoji: Make.emoji, count: Int(number))]
      return .updateMessage(id, message)
    case 31: return .removeReports(id, number % 5)
    // The revision of a report is its conversation's and never used again; here it is made of what it is about.
    case 32:
      return .putReport(id, Make.report(number % 5 * 10 + Int64(name.utf8.first ?? 0) % 10, on: number % 5, by: name, text: "\(number)"))
    case 33: return .removeInvitation(id, Make.user(name))
    case 34, 35: return .putInvitation(id, Make.invitation(name, by: "ann", at: number % 4))
    default:
      let key = Bool.random(using: &random) ? Make.key(name, "\(number % 7)", hash: number) : nil
      let answered = Bool.random(using: &random) ? number - 1 : nil
      return .appendMessage(id, Make.message(number, from: name, answering: answered), key: key)
    }
  }

  private static func participant(_ name: String, _ number: MessageNumber, _ random: inout SplitMix) -> ParticipantRecord {
    var record = Make.participant(name, joinedAt: Int64.random(in: 1_000...1_003, using: &random), marker: number)
    record.access = Bool.random(using: &random) ? .read : .readWrite
    record.readUntil = Int64.random(in: 0...9, using: &random)
    record.isMarkedUnread = Int.random(in: 0..<4, using: &random) == 0
    return record
  }

  private static func allQueries(_ random: inout SplitMix) -> [StoreQuery] {
    var queries: [StoreQuery] = [.users(names.map(Make.user))]
    for id in conversations.map(Make.id) {
      let (number, limit) = (MessageNumber.random(in: 0...41, using: &random), Int.random(in: 0...5, using: &random))
      queries += [
        .conversation(id), .messages(id, .newest, limit: limit), .messages(id, .before(number), limit: limit),
        .messages(id, .after(number), limit: limit), .message(id, number), .history(id, .newest, limit: 40, viewer: Make.user("ann")),
        .reactions(id, of: names.map(Make.user), on: Array(1...40)),
        .reports(id, before: number, limit: limit),
      ]
      for name in names { queries += (0..<7).map { .sent(id, Make.user(name), clientMessageId: "\($0)") } }
    }
    for name in names {
      let cursor = ListCursor(
        activity: Int64.random(in: 1_000...1_040, using: &random), conversation: Make.id(conversations.randomElement(using: &random) ?? "a")
      )
      queries += [
        .conversationList(Make.user(name), after: nil, limit: 10), .conversationList(Make.user(name), after: nil, limit: 2),
        .conversationList(Make.user(name), after: cursor, limit: 2), .unreadConversations(Make.user(name)),
        .invitations(Make.user(name), limit: 2),
      ]
      queries += filters.map { .conversationList(Make.user(name), after: nil, limit: 2, filter: $0) }
      queries += names.map { .areTogether(Make.user(name), Make.user($0)) }
    }
    return queries
  }
}

/// A generator that gives the same numbers for the same seed (https://prng.di.unimi.it/splitmix64.c).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
