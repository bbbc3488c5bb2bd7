import TestSupport
import Testing

@testable import ChatEngine

struct PresenceMachineTests {
  @Test func `a user is online from the first connection until a while after the last`() {
    enum Event {
      case connected
      case disconnected(UInt64)
      case time(UInt64)
    }
    // Each with what is told, whether the user is online then, and when that ends.
    let steps: [(Event, PresenceMachine.News, isOnline: Bool, endsAt: UInt64?)] = [
      (.time(5), .none, false, nil), (.disconnected(5), .none, false, nil), (.connected, .cameOnline, true, nil),
      (.connected, .none, true, nil), (.time(99), .none, true, nil), (.disconnected(100), .none, true, 115),
      (.disconnected(110), .none, true, 115), (.time(114), .none, true, 115), (.connected, .none, true, nil),
      (.time(115), .none, true, nil), (.disconnected(200), .none, true, 215), (.time(215), .wentOffline, false, nil),
      (.time(216), .none, false, nil), (.connected, .cameOnline, true, nil),
    ]
    var machine = PresenceMachine(graceMs: 15)
    for (index, (event, news, isOnline, endsAt)) in steps.enumerated() {
      let told =
        switch event {
        case .connected: machine.connected()
        case .disconnected(let tick): machine.disconnected(at: tick)
        case .time(let tick): machine.timeReached(at: tick)
        }
      expectEqual(told, news, "step \(index)")
      expectEqual(machine.isOnline, isOnline, "step \(index), online")
      expectEqual(machine.endsAt, endsAt, "step \(index), end")
    }
    for grace: Int64 in [0, -1] {
      var machine = PresenceMachine(graceMs: grace)
      expectEqual([machine.connected(), machine.disconnected(at: 7)], [.cameOnline, .wentOffline], "no grace")
    }
  }
}
