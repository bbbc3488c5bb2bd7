import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func waiting(_ serial: UInt64, by user: String = "ann") -> SendLimiter.Waiting {
  let caller = Caller(user: UserID(stored: user), kind: .user, permissions: Permissions())
  return SendLimiter.Waiting(call: CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial), operation: .get, caller: caller)
}

private func limit(factor: UInt64 = 2, maxQueued: Int = 20, maxDelayMs: UInt64 = 60_000) -> SendLimit {
  var limit = SendLimit()
  (limit.factor, limit.maxQueued, limit.maxDelayMs) = (factor, maxQueued, maxDelayMs)
  return limit
}

struct SendLimiterTests {
  /// The ticks at which calls are sent that all come at once, and whether the burst is over behind them.
  private static func times(_ count: UInt64, baseMs: UInt64, _ rules: SendLimit) -> [UInt64] {
    var limiter = SendLimiter(rules: rules)
    var times: [UInt64] = []
    for serial in 1...count where limiter.request(waiting(serial), baseMs: baseMs, at: 0) == .sendNow { times.append(0) }
    while let end = limiter.nextEnd {
      for turn in limiter.expire(now: end) {
        expectEqual(turn.call.serial, UInt64(times.count) + 1, "in order")
        expect(limiter.takeTurn(turn.call) && !limiter.takeTurn(turn.call), "a turn is taken once")
        times.append(end)
      }
    }
    expect(limiter.isEmpty, "the burst is over")
    return times
  }

  @Test func `the waits of a burst grow, and a burst ends where nobody waits`() {
    let cases: [(UInt64, base: UInt64, SendLimit, [UInt64])] = [
      (5, 1, limit(), [0, 1, 3, 7, 15]), (4, 100, limit(), [0, 100, 300, 700]), (4, 5, limit(factor: 1), [0, 5, 10, 15]),
      (1, 7, limit(), [0]), (4, 10, limit(factor: 3), [0, 10, 40, 130]),
    ]
    for (count, base, rules, times) in cases { expectEqual(Self.times(count, baseMs: base, rules), times, "\(count), \(base)") }
    var limiter = SendLimiter(rules: limit())
    // The wait behind the last message of 0, 1, 3 ends at 7: who comes before pays the next, bigger one.
    for serial: UInt64 in 1...3 { _ = limiter.request(waiting(serial), baseMs: 1, at: 0) }
    for tick: UInt64 in [1, 3] { expectEqual(limiter.expire(now: tick).count, 1, "at \(tick)") }
    expectEqual(limiter.request(waiting(4), baseMs: 1, at: 6), .wait, "still the same burst")
    expectEqual(limiter.request(waiting(5, by: "bob"), baseMs: 1, at: 6), .sendNow, "another user's is another")
    expectEqual(limiter.expire(now: 7).map(\.call.serial), [4], "at 7, and bob's is over")
    expectEqual(limiter.nextEnd, 15, "8 later")
    expectEqual(limiter.expire(now: 14).count, 0, "too early")
    expectEqual(limiter.expire(now: 20).count, 0, "nobody waits")
    expect(!limiter.isEmpty, "three turns were not taken")
    for serial: UInt64 in 2...4 { expect(limiter.takeTurn(waiting(serial).call), "\(serial)") }
    expect(limiter.isEmpty && limiter.nextEnd == nil, "over")
    expectEqual(limiter.request(waiting(6), baseMs: 1, at: 20), .sendNow, "a fresh one")
    _ = limiter.request(waiting(7), baseMs: 1, at: 20)
    expectEqual(limiter.expire(now: 30).count, 1, "a late look")
    expectEqual(limiter.nextEnd, 32, "the wait begins when it was sent")
  }

  @Test func `who would wait too long, or behind too many, is told when to come back`() {
    var limiter = SendLimiter(rules: limit(maxDelayMs: 10))
    let answers: [SendLimiter.Decision] = [.sendNow, .wait, .wait, .wait, .refuse(retryAfterMs: 5), .refuse(retryAfterMs: 5)]
    for (serial, answer) in answers.enumerated() {
      expectEqual(limiter.request(waiting(UInt64(serial)), baseMs: 1, at: 0), answer, "\(serial)")
    }
    for tick: UInt64 in [1, 3] { _ = limiter.expire(now: tick) }
    expectEqual(limiter.request(waiting(8), baseMs: 1, at: 4), .refuse(retryAfterMs: 1), "one more")
    expectEqual(limiter.request(waiting(8), baseMs: 1, at: 5), .wait, "as was told")
    limiter = SendLimiter(rules: limit(maxQueued: 1))
    _ = limiter.request(waiting(1), baseMs: 100, at: 0)
    expectEqual(limiter.request(waiting(2), baseMs: 100, at: 1), .wait, "one may wait")
    expectEqual(limiter.request(waiting(3), baseMs: 100, at: 2), .refuse(retryAfterMs: 98), "two may not")
    limiter = SendLimiter(rules: limit(maxQueued: 0, maxDelayMs: 0))
    _ = limiter.request(waiting(1), baseMs: 100, at: 0)
    expectEqual(limiter.request(waiting(2), baseMs: 100, at: 40), .refuse(retryAfterMs: 60), "nobody may")
    limiter = SendLimiter(rules: limit())
    _ = limiter.request(waiting(1), baseMs: 100, at: 0)
    expectEqual(limiter.request(waiting(2), baseMs: 100, mayWait: false, at: 40), .refuse(retryAfterMs: 60), "nobody may any more")
    expectEqual(limiter.request(waiting(2), baseMs: 100, mayWait: false, at: 200), .refuse(retryAfterMs: 1), "the wait should be over")
  }

  @Test func `no wait leaves its range`() {
    var limiter = SendLimiter(rules: limit(factor: .max, maxDelayMs: .max))
    let answers: [SendLimiter.Decision] = [.sendNow, .wait, .wait, .wait]
    for (serial, answer) in answers.enumerated() {
      expectEqual(limiter.request(waiting(UInt64(serial)), baseMs: .max - 5, at: 10), answer, "\(serial)")
    }
    expectEqual(limiter.nextEnd, .max, "never")
    limiter = SendLimiter(rules: limit(factor: .max))
    _ = limiter.request(waiting(1), baseMs: 2, at: 10)
    expectEqual(limiter.request(waiting(2), baseMs: 2, at: 10), .wait, "a short wait")
    expectEqual(limiter.request(waiting(3), baseMs: 2, at: 10), .refuse(retryAfterMs: .max - 60_010), "an endless one")
  }

  @Test func `who leaves the queue is not sent, and the next takes the place`() {
    var limiter = SendLimiter(rules: limit())
    for serial: UInt64 in 1...4 { _ = limiter.request(waiting(serial), baseMs: 1, at: 0) }
    _ = limiter.request(waiting(9, by: "bob"), baseMs: 9, at: 0)
    _ = limiter.request(waiting(8, by: "bob"), baseMs: 9, at: 0)
    expect(limiter.remove(waiting(2).call) && !limiter.remove(waiting(2).call), "once")
    expect(!limiter.remove(waiting(1).call), "sent already")
    expectEqual(limiter.expire(now: 1).map(\.call.serial), [3], "the next")
    expect(!limiter.remove(waiting(3).call) && limiter.takeTurn(waiting(3).call), "its turn has come")
    expectEqual(limiter.removeAll().map(\.call.serial), [4, 8], "all")
    expectEqual(limiter.removeAll().count, 0, "none is left")
    expect(!limiter.isEmpty, "the bursts go on")
    expectEqual(limiter.expire(now: 99).count, 0, "and end")
    expect(limiter.isEmpty, "at last")
  }
}
