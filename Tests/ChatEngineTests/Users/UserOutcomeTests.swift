import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserOutcomeTests {
  @Test func `whoever waits learns that the store failed`() {
    let call = UserSamples.call(1)
    let refused = EngineAction.reply(call, .failure(.unavailable))
    let cases: [(UserOutcome, [EngineAction])] = [
      (.reply(call, .done), [refused]), (.revoke(call), [refused]),
      (.admit(UserSamples.session(1), call), [.refuseSession(call, .unavailable)]), (.nothing, []),
      (.activity, []), (.muted(call), [refused]),
    ]
    for (outcome, actions) in cases {
      expectEqual(outcome.refusal(.unavailable), actions, "\(outcome)")
      expectEqual(outcome.isOwnMatter, outcome == .activity || outcome == .muted(call), "\(outcome)")
    }
  }
}
