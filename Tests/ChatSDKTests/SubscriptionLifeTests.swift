import ChatModel
import TestSupport
import Testing

@testable import ChatSDK

@Suite struct SubscriptionLifeTests {
  private typealias Life = SubscriptionLife<TypingSubscriptionState>
  private let nobody = TypingSubscriptionState.active(latestSnapshot: nil)
  private let some = TypingSubscriptionState.active(latestSnapshot: ChatSDK.TypingSnapshot(.few([])))

  @Test func `it is pending, active, and then over for good`() {
    var life = Life()
    expectEqual(life.state, .pending)
    expectEqual(life.came(nobody, sequence: 1), .began)
    expectEqual(life.came(some, sequence: 1), .nothing, "not newer")
    expectEqual(life.came(some, sequence: 3), .changed)
    expectEqual(life.came(nobody, sequence: 2), .nothing, "overtaken")
    expectEqual(life.came(some, sequence: 4), .nothing, "equal")
    expectEqual(life.connection, .success(nobody), "the first active state")
    expectEqual(life.unsubscribe(), .ended)
    expectEqual(life.unsubscribe(), .nothing)
    expectEqual(life.fail(.timedOut), .nothing)
    expectEqual(life.came(nobody, sequence: 5), .nothing)
    expectEqual(life.state, .unsubscribed)
    expectEqual(life.connection, .success(nobody))
  }

  @Test func `an end before the first snapshot is a failure to connect`() {
    var left = Life()
    expectEqual(left.unsubscribe(), .ended)
    expectEqual(left.connection, .failure(ChatSDK.ChatError.unsubscribed))
    var broken = Life()
    expectEqual(broken.fail(.destroyed), .ended)
    expectEqual(broken.connection, .failure(.destroyed))
    expectEqual(broken.state, .error(.destroyed))
    expectEqual([left.state, broken.state, .pending, some].map(\.type), ["unsubscribed", "error", "pending", "active"])
  }
}
