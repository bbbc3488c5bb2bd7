import TestSupport
import Testing

@testable import Transport

@Suite struct TimingWheelTests {
  private func tick(_ milliseconds: UInt64) -> Tick { Tick(milliseconds: milliseconds) }

  private func expired(_ wheel: inout TimingWheel<Int>, at milliseconds: UInt64) -> [Int] {
    var all: [Int] = []
    while let payload = wheel.popExpired(at: tick(milliseconds)) { all.append(payload) }
    return all
  }

  @Test func `a timer expires with the first unit that is not before its deadline`() {
    // Start, deadline, the last millisecond at which it waits, the first at which it expires.
    let cases: [(start: UInt64, deadline: UInt64, waits: UInt64, expires: UInt64)] = [
      (0, 1, 15, 16), (0, 16, 15, 16), (0, 17, 31, 32), (1000, 0, 1007, 1008), (1000, 1000, 1007, 1008),
      (0, 1024, 1023, 1024), (5, 1008, 1007, 1008), (0, 65_536, 65_535, 65_536), (0, 65_537, 65_551, 65_552),
      (999, 5_000_000_000, 4_999_999_999, 5_000_000_000),
      (0, .max - 15, .max - 16, .max - 15), (.max - 31, .max - 15, .max - 16, .max - 15),
    ]
    for (start, deadline, waits, expires) in cases {
      var wheel = TimingWheel<Int>(now: tick(start))
      _ = wheel.schedule(1, at: tick(deadline))
      expectEqual(expired(&wheel, at: waits), [], "\(deadline) from \(start) at \(waits)")
      expectEqual(wheel.count, 1, "\(deadline) from \(start) waits")
      expectEqual(expired(&wheel, at: expires), [1], "\(deadline) from \(start) at \(expires)")
      expect(wheel.isEmpty && wheel.nextDeadline == nil, "\(deadline) from \(start) is gone")
    }
    var wheel = TimingWheel<Int>(now: tick(0))
    _ = wheel.schedule(1, at: tick(.max))
    expectEqual(expired(&wheel, at: .max), [], "a deadline after the last unit of the clock never comes, and nothing traps")
    expectEqual(wheel.nextDeadline.map { $0 > tick(.max / 2) }, true, "it is far away")
  }

  @Test func `timers can be cancelled until they are taken, and ids do not come back`() {
    var wheel = TimingWheel<Int>(now: tick(0))
    let first = wheel.schedule(1, at: tick(100))
    expect(wheel.cancel(first), "a waiting timer")
    expect(!wheel.cancel(first), "twice")
    let second = wheel.schedule(2, at: tick(100))
    expect(first != second, "the node is used again, the id is not")
    expect(!wheel.cancel(first), "an old id does not touch the new timer")
    let third = wheel.schedule(3, at: tick(100))
    let fourth = wheel.schedule(4, at: tick(90))
    expectEqual(wheel.popExpired(at: tick(112)), 4, "the earlier unit comes first")
    expect(!wheel.cancel(fourth), "a taken timer")
    expect(wheel.cancel(third), "a timer that expired and was not taken")
    _ = wheel.schedule(5, at: tick(0))
    expectEqual(expired(&wheel, at: 112), [2], "what is scheduled meanwhile waits for the next unit")
    expectEqual(wheel.nextDeadline, tick(128), "and the wheel says so")
    expectEqual(expired(&wheel, at: 100), [], "a clock that goes back does no harm")
    expectEqual(expired(&wheel, at: 128), [5], "the next unit")
    let other = TimingWheel<Int>(now: tick(0))
    expect(other.isEmpty, "an empty wheel")
    var foreign = other
    expect(!foreign.cancel(second), "an id of another wheel")
  }

  @Test func `the wheel does what a sorted list does`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      let start = UInt64.random(in: 0...(1 << 40), using: &random)
      var wheel = TimingWheel<Int>(now: tick(start))
      var model = Model(elapsed: start / 16)
      var now = start
      var ids: [(Int, TimerID)] = []
      for payload in 0..<2000 {
        let reach = UInt64(1) << UInt64.random(in: 0...30, using: &random)
        let deadline = now &+ UInt64.random(in: 0...reach, using: &random) &- UInt64.random(in: 0...min(now, 20), using: &random)
        ids.append((payload, wheel.schedule(payload, at: tick(deadline))))
        model.schedule(payload, at: deadline)
        if Int.random(in: 0..<4, using: &random) == 0, let (victim, id) = ids.randomElement(using: &random) {
          expectEqual(wheel.cancel(id), model.cancel(victim), "seed \(seed): cancel \(victim)")
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
          let step = UInt64(1) << UInt64.random(in: 0...24, using: &random)
          // Sometimes exactly the moment that the wheel asks for.
          if Bool.random(using: &random), let next = wheel.nextDeadline { now = max(now, next.milliseconds) } else { now += step }
          model.checkNext(wheel.nextDeadline, "seed \(seed)")
          expectEqual(expired(&wheel, at: now), model.expire(at: now), "seed \(seed): expired at \(now)")
        }
        expectEqual(wheel.count, model.count, "seed \(seed): count")
      }
      expectEqual(expired(&wheel, at: .max), model.expire(at: .max), "seed \(seed): the rest")
    }
  }

  /// The same promises, kept the slow way.
  private struct Model {
    var elapsed: UInt64
    private var timers: [(unit: UInt64, order: Int)] = []

    init(elapsed: UInt64) { self.elapsed = elapsed }

    var count: Int { timers.count }

    mutating func schedule(_ payload: Int, at deadline: UInt64) {
      timers.append((max(deadline / 16 + (deadline % 16 == 0 ? 0 : 1), elapsed + 1), payload))
    }

    mutating func cancel(_ payload: Int) -> Bool {
      guard let index = timers.firstIndex(where: { $0.order == payload }) else { return false }
      timers.remove(at: index)
      return true
    }

    mutating func expire(at now: UInt64) -> [Int] {
      elapsed = max(elapsed, now / 16)
      let due = timers.filter { $0.unit <= elapsed }.sorted { ($0.unit, $0.order) < ($1.unit, $1.order) }
      timers.removeAll { $0.unit <= elapsed }
      return due.map(\.order)
    }

    func checkNext(_ next: Tick?, _ name: String) {
      let earliest = timers.map(\.unit).min()
      expectEqual(next == nil, earliest == nil, "\(name): a deadline while there are timers")
      guard let next, let earliest else { return }
      expect(next.milliseconds <= earliest * 16, "\(name): woken in time")
      expect(next.milliseconds > elapsed * 16, "\(name): not woken for nothing")
    }
  }
}

/// SplitMix64: the same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
