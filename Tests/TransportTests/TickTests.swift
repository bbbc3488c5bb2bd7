import TestSupport
import Testing
import Transport

@Suite struct TickTests {
  @Test func `ticks add, subtract and compare without overflow`() {
    let sums: [(UInt64, UInt64, UInt64)] = [(0, 0, 0), (5, 7, 12), (.max, 0, .max), (.max, 1, .max), (1, .max, .max)]
    for (start, step, sum) in sums {
      expectEqual(Tick(milliseconds: start) + step, Tick(milliseconds: sum), "\(start) + \(step)")
    }
    let differences: [(UInt64, UInt64, UInt64)] = [(9, 4, 5), (4, 4, 0), (4, 9, 0), (.max, 0, .max), (0, .max, 0)]
    for (later, earlier, difference) in differences {
      expectEqual(Tick(milliseconds: later).milliseconds(since: Tick(milliseconds: earlier)), difference, "\(later) since \(earlier)")
    }
    expect(Tick(milliseconds: 1) < Tick(milliseconds: 2), "order")
    expect(!(Tick(milliseconds: 2) < Tick(milliseconds: 2)), "order of equals")
    let first = Tick.now()
    expect(first.milliseconds > 0 && Tick.now() >= first, "the clock does not go back")
  }
}
