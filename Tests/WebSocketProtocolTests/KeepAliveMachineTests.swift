import TestSupport
import Testing
import WebSocketProtocol

@Suite struct KeepAliveMachineTests {
  /// What happens to the machine, and the answer where it is the timer.
  private enum Step {
    case heard(UInt32)
    case timer(UInt32, KeepAliveMachine.TimerAction)
    /// Output waits after a try to send it, of which the peer took some or nothing.
    case waits(UInt32, hasMoved: Bool)
    case sent
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
    for row in rows { Self.run(row) }
  }

  private static func run(_ row: (String, start: UInt32, [Step])) {
    let (name, start, steps) = row
    var machine = KeepAliveMachine(interval: 25_000, grace: 10_000, now: start)
    for step in steps {
      switch step {
      case .heard(let now): machine.receivedTraffic(now: now)
      case .timer(let now, let action): expectEqual(machine.timerFired(now: now), action, "\(name) at \(now)")
      case .waits(let now, let hasMoved): machine.outputWaits(now: now, hasMoved: hasMoved)
      case .sent: machine.outputIsSent()
      }
    }
  }

  @Test func `a peer that takes nothing for interval and grace is given up, whatever it sends`() {
    let rows: [(String, start: UInt32, [Step])] = [
      (
        "it talks and does not read", 0,
        [
          .waits(1_000, hasMoved: false), .heard(20_000), .waits(20_000, hasMoved: false), .timer(25_000, .checkAgain(at: 45_000)),
          .heard(35_900), .timer(35_999, .checkAgain(at: 60_900)), .timer(36_000, .closeStalled), .timer(36_001, .none),
        ]
      ),
      (
        "it takes a little now and then", 0,
        [
          .waits(1_000, hasMoved: false), .heard(30_000), .waits(30_000, hasMoved: true), .timer(36_000, .checkAgain(at: 55_000)),
          .heard(55_000), .timer(64_999, .checkAgain(at: 80_000)), .timer(65_000, .closeStalled),
        ]
      ),
      (
        "it takes all at last", 0,
        [.waits(1_000, hasMoved: true), .heard(30_000), .sent, .timer(40_000, .checkAgain(at: 55_000)), .waits(50_000, hasMoved: false)]
      ),
      (
        "the silence is noticed first", 0,
        [.waits(1_000, hasMoved: false), .timer(25_000, .sendPing(nextCheck: 35_000)), .timer(35_000, .closeUnresponsive)]
      ),
      ("the clock wraps around", .max - 999, [.waits(.max, hasMoved: false), .heard(30_000), .timer(34_999, .closeStalled)]),
    ]
    for row in rows { Self.run(row) }
  }

  @Test func `it tells when it must be asked next`() {
    var machine = KeepAliveMachine(interval: 100, grace: 10, now: 5)
    expectEqual(machine.nextCheck, 105, "quiet")
    expectEqual(machine.timerFired(now: 105), .sendPing(nextCheck: 115))
    expectEqual(machine.nextCheck, 115, "awaiting life")
    expectEqual(machine.timerFired(now: 115), .closeUnresponsive)
    expectEqual(machine.nextCheck, nil, "expired")
    var stalled = KeepAliveMachine(interval: 100, grace: 10, now: 5)
    stalled.outputWaits(now: 6, hasMoved: false)
    expectEqual(stalled.nextCheck, 105, "the ping comes first")
    stalled.receivedTraffic(now: 100)
    expectEqual(stalled.nextCheck, 116, "then it must have taken something")
    stalled.outputIsSent()
    expectEqual(stalled.nextCheck, 200, "quiet")
    var longest = KeepAliveMachine(interval: .max, grace: .max, now: 0)
    expectEqual(longest.timerFired(now: 1), .checkAgain(at: UInt32(Int32.max)), "cut to 24 days")
    expect(MemoryLayout<KeepAliveMachine>.size <= 24, "small")
  }
}
