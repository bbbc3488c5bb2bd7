import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct TopicNameTests {
  @Test func `a topic has one name and a name one topic`() throws {
    let room = try ConversationID("general")
    let ada = try UserID("ада 1")
    let topics: [(String, Topic)] = [
      ("conversation:general", .conversation(room)), ("messages:general", .messages(room)),
      ("participants:general", .participants(room)), ("typing:general", .typing(room)), ("conversations", .conversations(label: nil)),
      ("invitations", .invitations), ("conversations#side bar", .conversations(label: "side bar")), ("user:ада 1", .user(ada)),
      ("online:ада 1", .online(ada)),
      ("conversations#a#b", .conversations(label: "a#b")), ("messages:a#b", .messages(try ConversationID("a#b"))),
      ("messages:\u{301}x", .messages(try ConversationID("\u{301}x"))),
      ("conversations#" + String(repeating: "я", count: 64), .conversations(label: String(repeating: "я", count: 64))),
    ]
    for (name, topic) in topics {
      expectEqual(TopicName.text(of: topic), name, name)
      expectEqual(try TopicName.parse(name), topic, name)
    }
    let documented = try Document.rows(below: ["topic", "snapshot"]).map { String($0[0].prefix { $0 != ":" && $0 != "," }) }
    expectEqual(documented, TopicKind.allCases.map(\.rawValue), "the documentation")
    let wrong = [
      "", ":", "#", "conversation", "conversation:", "messages", "message:x", "messages:a:b", "messages:a/b", "messages: a",
      "messages:e\u{301}", "messages:" + String(repeating: "x", count: 93), "conversations:", "conversations:x", "conversations#",
      "invitations:", "invitations:x", "invitations#x",
      "conversations#a,b", "conversations# a", "conversations#" + String(repeating: "x", count: 65), "messages#x", "Conversations",
      "user:", "user:*", "online:a\u{0}", "online:\u{2028}x", "typing:x\n", " conversations", "conversations ", "events", "user#x",
    ]
    for name in wrong {
      let error = #expect(throws: ChatError.self) { try TopicName.parse(name) }
      expectEqual(error?.kind, .invalidParams, name)
      expectEqual(error?.field, "topic", name)
    }
  }
}
