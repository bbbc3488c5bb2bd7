import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ChangePaceTests {
  @Test func `a second lies between two changes`() {
    var pace = ChangePace()
    let cases: [(tick: UInt64, left: Int?)] = [(500, nil), (500, 1_000), (1_499, 1), (1_500, nil), (2_000, 500), (2_500, nil), (100, nil)]
    for (tick, left) in cases {
      var refusal: ChatError?
      do throws(ChatError) { try pace.count(at: tick) } catch { refusal = error }
      expectEqual(refusal?.retryAfterMs, left, "tick \(tick)")
      expectEqual(refusal?.kind, left == nil ? nil : .rateLimited, "tick \(tick)")
    }
  }
}
