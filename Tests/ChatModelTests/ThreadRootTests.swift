import ChatModel
import TestSupport
import Testing

@Suite struct ThreadRootTests {
  @Test func `the id of a thread says under which message it hangs`() throws {
    let names = ["a", "General", "a.b", "direct.1", "thread", "\u{301}", String(repeating: "😀", count: Identifier.maxScalars)]
    for name in names {
      let room = try ConversationID(name)
      for number: MessageNumber in [0, 1, 77, .max] {
        let message = MessageID(number, in: room)
        let root = try #require(ThreadRoot(message, in: room))
        let thread = try ConversationID(root.thread.text)
        expectEqual(ThreadRoot(of: thread), root, "\(name) \(number)")
        expectEqual(root.message.number, number, "\(name) \(number)")
        expect(thread.isThread && thread.isReserved, "\(name) is the server's")
        expect(thread.text.unicodeScalars.count <= ThreadRoot.maxScalars, "\(name) fits")
        expectEqual(ThreadRoot(message, in: thread), nil, "one level only")
      }
    }
    let room = try ConversationID("room")
    expectEqual(ThreadRoot(.unknown("m"), in: room)?.message, MessageID(0, in: room), "what is no message's id")
  }

  @Test func `other ids are no threads`() throws {
    let (room, other) = (try ConversationID("room"), try ConversationID("other"))
    let inside = MessageID(1, in: ConversationID(stored: "thread.x"))
    let texts = [
      "room", "thread", "thread.", "thread.x.y", "thread.room.\(MessageID(1, in: other))", "thread..\(MessageID(1, in: room))",
      "thread.room-\(MessageID(1, in: room))", "thread.room.\(MessageID(1, in: room))x", "Thread.room.\(MessageID(1, in: room))",
      "thread.thread.x.\(inside)", "thread.a:b.\(MessageID(1, in: ConversationID(stored: "a:b")))",
    ]
    for text in texts { expectEqual(ThreadRoot(of: ConversationID(stored: text)), nil, text) }
  }

  @Test func `a message shows its thread while there are replies`() throws {
    let id = try ConversationID("thread.x")
    let summary = ThreadSummary(revision: 3, replyCount: 2, lastReplyAt: 5)
    expectEqual(summary.snapshot(of: id), ThreadSnapshot(conversation: id, replyCount: 2, lastReplyAt: 5), "two replies")
    expectEqual(ThreadSummary(revision: 4, replyCount: 0, lastReplyAt: nil).snapshot(of: id), nil, "none is left")
  }

  @Test func `with a message what it shows of its thread goes`() {
    var message = MessageRecord(
      number: 1, revision: 1, type: .user, sender: nil, custom: CustomFields(), createdAt: 1, editedAt: nil, referenced: nil, origin: .web,
      content: [], isDeleted: false)
    message.thread = ThreadSummary(revision: 3, replyCount: 2, lastReplyAt: 5)
    message.delete(at: 9)
    expectEqual(message.thread, nil, "the thread")
  }
}
