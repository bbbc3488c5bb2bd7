import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Suite struct ThreadFactsTests {
  private static let room = ConversationID(stored: "room")
  private static let (ann, bob) = (UserID(stored: "ann"), UserID(stored: "bob"))

  private static func load(_ message: MessageRecord?, _ users: UserID...) -> RootLoad {
    RootLoad(type: .public, message: message, places: users.map { RootPlace(user: $0, access: .read, restriction: nil) })
  }

  private static func facts() throws -> ThreadFacts {
    ThreadFacts(try #require(ThreadRoot(MessageID(3, in: room), in: room)))
  }

  @Test func `what was asked for is known until it is forgotten`() throws {
    let root = StoreContractRecords.message(3, from: "bob")
    var facts = try Self.facts()
    expect(!facts.isSettled && !facts.settles(Self.ann) && !facts.hasConversation, "nothing is known")
    facts.take(Self.load(root, Self.ann), asked: [Self.ann, Self.bob])
    expect(facts.isSettled && facts.hasConversation && facts.refusal == nil, "there is a root")
    expectEqual([Self.ann, Self.bob].map { facts.settles($0) }, [true, true], "both are known")
    expectEqual([Self.ann, Self.bob].map { facts.place(of: $0)?.access }, [.read, nil], "one takes part")
    expectEqual(facts.planned(facts.root.thread)?.type, .public, "the type of the conversation")
    facts.take(Self.load(root, Self.bob), asked: [Self.ann, Self.bob])
    expectEqual([Self.ann, Self.bob].map { facts.place(of: $0)?.access }, [nil, .read], "they changed places")
    facts.forget([Self.ann, Self.bob])
    expectEqual([Self.ann, Self.bob].map { facts.settles($0) }, [false, false], "forgotten")
    facts.take(Self.load(root, Self.ann), asked: [Self.ann])
    facts.forget()
    expect(!facts.isSettled && facts.place(of: Self.ann) == nil, "all is forgotten")
  }

  @Test func `those who find no thread are told why`() throws {
    var deleted = StoreContractRecords.message(3)
    deleted.delete(at: 9)
    let cases: [(RootLoad?, String?, Bool)] = [
      (nil, "There is no such message in this conversation", false),
      (Self.load(nil), "There is no such message in this conversation", true),
      (Self.load(deleted), "You cannot create threads on deleted messages.", true), (Self.load(StoreContractRecords.message(3)), nil, true),
    ]
    for (load, sentence, hasConversation) in cases {
      var facts = try Self.facts()
      facts.take(load, asked: [])
      expectEqual(facts.refusal?.message, sentence, "\(sentence ?? "there is one")")
      expectEqual(facts.hasConversation, hasConversation, "the conversation")
      expectEqual(facts.planned(facts.root.thread) == nil, sentence != nil, "a plan")
      // That there is none may be different at the next call.
      facts.dropUnused { _ in false }
      expectEqual(facts.isSettled, sentence == nil, "known for longer")
    }
  }

  @Test func `of many users only those are kept who are needed`() throws {
    var facts = try Self.facts()
    let users = (0..<1_100).map { UserID(stored: "u\($0)") }
    facts.take(RootLoad(type: .group, message: StoreContractRecords.message(3), places: []), asked: Array(users.dropLast(200)))
    facts.dropUnused { $0 == users[0] }
    expect(facts.settles(users[1]), "not so many yet")
    facts.take(
      RootLoad(
        type: .group, message: StoreContractRecords.message(3),
        places: users.suffix(200).map { RootPlace(user: $0, access: .readWrite, restriction: nil) }), asked: Array(users.suffix(200)))
    facts.dropUnused { $0 == users[0] || $0 == users[1_000] }
    expectEqual([0, 1, 1_000, 1_001].map { facts.settles(users[$0]) }, [true, false, true, false], "the needed")
  }
}
