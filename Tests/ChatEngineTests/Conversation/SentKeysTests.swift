import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func name(_ text: String) -> SentKeys.Name { SentKeys.Name(sender: UserID(stored: "ann"), clientMessageId: text) }

@Test func `decided sends are remembered, a bounded number of them`() {
  var keys = SentKeys()
  let message = SentMessage(number: 1, requestHash: 2)
  expect(!keys.settles(name("a")), "unknown")
  keys.take(name("a"), nil)
  expect(keys.settles(name("a")) && keys[name("a")] == nil, "the store knows none")
  keys.take(name("b"), message)
  expectEqual(keys[name("b")], message, "the store knows one")
  keys.remember(name("a"), message)
  keys.dropAnswers()
  expectEqual([keys.settles(name("a")), keys.settles(name("b"))], [true, false], "answers are dropped")
  for index in 0..<511 { keys.remember(name("\(index)"), message) }
  expectEqual(keys[name("a")], message, "still there")
  keys.remember(name("last"), message)
  expectEqual([keys.settles(name("a")), keys.settles(name("0")), keys.settles(name("last"))], [false, true, true], "the oldest gives way")
  keys.remember(name("next"), message)
  expectEqual(keys.settles(name("0")), false, "then the next")
}

@Test func `the hash of a request tells requests apart and never changes`() {
  let room = ConversationID(stored: "room")
  func sent(_ text: String, _ change: (inout OutgoingMessage) -> Void = { _ in }) -> OutgoingMessage {
    var message = OutgoingMessage(content: ContentBlock.plain(text))
    change(&message)
    return message
  }
  // Stored with each message: another value would make retries across an update conflicts.
  expectEqual(RequestHash.of(sent("hello")), 4407906319500306060, "a fixed value")
  expectEqual(RequestHash.of(sent("a") { $0.clientMessageId = "k" }), RequestHash.of(sent("a")), "the key is no part of it")
  let requests = [
    sent(""), sent("a"), sent("b"), sent("a") { $0.referenced = MessageID(1, in: room) },
    sent("a") { $0.referenced = MessageID(2, in: room) },
    sent("a") { $0.custom["k"] = "v" }, sent("a") { $0.custom["kv"] = "" }, sent("a") { $0.custom["k"] = "" },
    sent("") { $0.content = [.text([.plain("a"), .plain("")])] }, sent("") { $0.content = [.text([.plain("a")]), .text([])] },
    sent("") { $0.content = [] },
  ]
  expectEqual(Set(requests.map { RequestHash.of($0) }).count, requests.count, "all different")
}
