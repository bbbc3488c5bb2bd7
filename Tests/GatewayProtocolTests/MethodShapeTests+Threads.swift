import ChatModel
import GatewayProtocol
import TestSupport
import Testing

extension MethodShapeTests {
  static func threads(_ message: MessageID, in room: ConversationID) throws -> [(String, ClientRequest)] {
    let request = { (message: MessageID) throws in
      ClientRequest.chat(.inConversation(try #require(ThreadRoot(message, in: room)).thread, .getThread))
    }
    return [
      (#"{"conversation":"c","message":"\#(message)"}"#, try request(message)),
      // What is no message's id is that of one that is never there.
      (#"{"conversation":"c","message":"m"}"#, try request(MessageID(0, in: room))),
    ]
  }

  @Test func `there are no threads in threads`() throws {
    let frames = try Frames()
    let thread = try #require(ThreadRoot(MessageID(7, in: ConversationID("c")), in: ConversationID("c"))).thread
    let call = try frames.call("message.thread", #"{"conversation":"\#(thread)","message":"m"}"#)
    guard case .failure(let error) = call.request else { return expect(false, "made") }
    expectEqual(error.kind.code, 101, "code")
    expectEqual(error.message, "Only one level of thread nesting is allowed.", "sentence")
    expectEqual(error.field, "conversation", "field")
  }

  @Test func `ids of threads may be longer than those of others`() throws {
    let frames = try Frames()
    let name = String(repeating: "é", count: Identifier.maxScalars)
    let thread = try #require(ThreadRoot(MessageID(.max, in: ConversationID(name)), in: ConversationID(name))).thread
    let get = { (id: String) in try frames.refusal("conversation.get", #"{"conversation":"\#(id)"}"#) }
    expectEqual(try get(thread.text), "ok", "the longest")
    expectEqual(try get(thread.text + "x"), "-32602 conversation", "one more")
    expectEqual(try get(name + "x"), "-32602 conversation", "another's")
  }
}
