import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct SubscriptionMachineTests {
  private static let id = SubscriberID(endpoint: Endpoint(loop: 1, connection: 2), serial: 3)
  private static let earlier = SubscriberID(endpoint: Endpoint(loop: 1, connection: 2), serial: 2)
  private static let error = ChatError(.unavailable, "The store is damaged")

  private typealias Event = (String, (inout SubscriptionMachine) -> SubscriptionMachine.Action)

  private static var events: [Event] {
    [
      ("own snapshot", { $0.snapshotCame(for: id) }),
      ("snapshot of an earlier one", { $0.snapshotCame(for: earlier) }),
      (
        "unsubscribed",
        {
          $0.unsubscribed()
          return .nothing
        }
      ),
      ("end", { $0.end(because: .overloaded) }),
      ("fail", { $0.fail(with: error) }),
    ]
  }

  @Test func `every event in every state leads to one state and is told once`() {
    let states: [(name: String?, reach: (inout SubscriptionMachine) -> Void)] = [
      ("pending", { _ in }),
      ("active", { _ = $0.snapshotCame(for: Self.id) }),
      (nil, { $0.unsubscribed() }),
      (nil, { _ = $0.end(because: .overloaded) }),
      (nil, { _ = $0.fail(with: Self.error) }),
    ]
    let told: [SubscriptionMachine.Action] = [.show, .nothing, .nothing, .tellUnsubscribed(.overloaded), .tellError(Self.error)]
    for (number, state) in states.enumerated() {
      let after: [String?] = ["active", state.name, nil, nil, nil]
      for (index, event) in Self.events.enumerated() {
        var machine = SubscriptionMachine(id: Self.id)
        state.reach(&machine)
        expectEqual(machine.name, state.name, "state \(number)")
        expectEqual(machine.isActive, state.name == "active", "state \(number)")
        expectEqual(event.1(&machine), state.name == nil ? .nothing : told[index], "\(event.0) in state \(number)")
        expectEqual(machine.name, state.name == nil ? nil : after[index], "the state after \(event.0) in state \(number)")
      }
    }
  }

  @Test func `the reasons for which the server ends a subscription are a closed list`() {
    expectEqual(SubscriptionMachine.EndReason.allCases.map(\.rawValue), ["overloaded"])
  }
}
