import TestSupport
import Testing
import WebSocketProtocol

@Suite struct KeepAliveMachineTests {
  /// What happens to the machine, and the answer where it is the timer.
  private enum Step {
    case heard(UInt32)
    case timer(UInt32, KeepAliveMachine.TimerAction)
  }

  @Test func `a peer is pinged after the interval and given up after the grace`() {
    let rows: [(String, start: UInt32, [Step])] = [
      (
        "silence", 0,
        [
          .timer(24_999, .checkAgain(at: 25_000)), .timer(25_000, .sendPing(nextCheck: 35_000)), .timer(34_999, .checkAgain(at: 35_000)),
          .timer(35_000, .closeUnresponsive), .timer(35_001, .none), .heard(35_002), .timer(99_999, .none),
        ]
      ),
      (
        "bytes put the ping off", 0,
        [.heard(20_000), .timer(25_000, .checkAgain(at: 45_000)), .heard(44_999), .timer(45_000, .checkAgain(at: 69_999))]
      ),
      (
        "any byte answers a ping", 0,
        [
          .timer(25_000, .sendPing(nextCheck: 35_000)), .heard(30_000), .timer(35_000, .checkAgain(at: 55_000)),
          .timer(55_000, .sendPing(nextCheck: 65_000)),
        ]
      ),
      ("a late timer gives the whole grace", 0, [.timer(80_000, .sendPing(nextCheck: 90_000)), .timer(89_999, .checkAgain(at: 90_000))]),
      ("a time just before the last byte", 0, [.heard(30_000), .timer(29_990, .checkAgain(at: 55_000))]),
      (
        "the clock wraps around", .max - 9_999,
        [.timer(.max, .checkAgain(at: 15_000)), .timer(15_000, .sendPing(nextCheck: 25_000)), .timer(25_000, .closeUnresponsive)]
      ),
    ]
    for (name, start, steps) in rows {
      var machine = KeepAliveMachine(interval: 25_000, grace: 10_000, now: start)
      for step in steps {
        switch step {
        case .heard(let now): machine.receivedTraffic(now: now)
        case .timer(let now, let action): expectEqual(machine.timerFired(now: now), action, "\(name) at \(now)")
        }
      }
    }
  }

  @Test func `it tells when it must be asked next`() {
    var machine = KeepAliveMachine(interval: 100, grace: 10, now: 5)
    expectEqual(machine.nextCheck, 105, "quiet")
    expectEqual(machine.timerFired(now: 105), .sendPing(nextCheck: 115))
    expectEqual(machine.nextCheck, 115, "awaiting life")
    expectEqual(machine.timerFired(now: 115), .closeUnresponsive)
    expectEqual(machine.nextCheck, nil, "expired")
    var longest = KeepAliveMachine(interval: .max, grace: .max, now: 0)
    expectEqual(longest.timerFired(now: 1), .checkAgain(at: UInt32(Int32.max)), "cut to 24 days")
    expect(MemoryLayout<KeepAliveMachine>.size <= 16, "small")
  }
}
