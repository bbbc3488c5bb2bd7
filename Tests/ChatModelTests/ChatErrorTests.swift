import ChatModel
import TestSupport
import Testing

@Test func `codes and keys are those of the protocol`() {
  let keys: [ChatErrorKind: String] = [
    .invalidParams: "invalidParams", .internal: "internalError", .cancelled: "requestCancelled", .unauthenticated: "unauthenticated",
    .forbidden: "forbidden", .notParticipant: "notParticipant", .readOnly: "readOnly", .notFound: "notFound",
    .syncDisabled: "syncDisabled", .conflict: "conflict", .tooLarge: "tooLarge", .limitExceeded: "limitExceeded",
    .rateLimited: "rateLimited", .unavailable: "unavailable", .restricted: "restricted",
  ]
  for kind in ChatErrorKind.allCases { expectEqual(kind.key, keys[kind], "\(kind.rawValue)") }
  let codes = [-32602, -32603, -32800, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111]
  expectEqual(ChatErrorKind.allCases.map(\.rawValue), codes, "the codes")
  expectEqual(ChatErrorKind.allCases.filter(\.isTemporary), [.rateLimited, .unavailable], "what may succeed later")

  expectEqual(ChatError.invalid("limit", "must be 1"), ChatError(.invalidParams, "limit must be 1", field: "limit"), "invalid")
  expectEqual(ChatError.tooLarge("text", "is long"), ChatError(.tooLarge, "text is long", field: "text"), "too large")
  let fixed = [ChatError.notParticipant, .readOnly, .unavailable]
  expectEqual(fixed.map(\.kind), [.notParticipant, .readOnly, .unavailable], "fixed ones")
  expectEqual(ChatError.unavailable.retryAfterMs, 1_000, "when to come again")
}
