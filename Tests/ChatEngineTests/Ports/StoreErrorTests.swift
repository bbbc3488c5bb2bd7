import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `a store's failure is told to clients without its sentence, which may name files`() {
  for kind in StoreError.Kind.allCases {
    let error = StoreError(kind, code: 13, "/data/parley.db is in trouble")
    let told = ChatError.unavailable(error)
    expectEqual(told.kind, .unavailable, "\(kind)")
    expect(told.retryAfterMs != nil, "\(kind): when to come back")
    expect(!told.message.contains("/data"), "\(kind): \(told.message)")
    expectEqual(error.description, error.sentence, "\(kind): the log gets the sentence")
  }
  expect(ChatError.unavailable(StoreError(.full, code: 13, "")).message.contains("disk"), "a full disk is told as one")
}
