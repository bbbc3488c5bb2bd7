import TestSupport
import Testing

@testable import Gateway

@Suite struct TransferPaceTests {
  @Test func `a transfer ends when nothing moves, and when it is slower than any line`() {
    var pace = TransferPace(bytes: 1_048_576, now: 1_000)
    expectEqual(pace.nextCheck(at: 1_000), 21_000, "at first")
    expectEqual(pace.nextCheck(at: 21_000), nil, "nothing moved")
    for now in stride(from: UInt64(10_000), through: 90_000, by: 10_000) {
      pace.moved(at: now)
      expectEqual(pace.nextCheck(at: now), min(now + 20_000, 95_000), "at \(now)")
    }
    pace.moved(at: 95_000)
    expectEqual(pace.nextCheck(at: 95_000), nil, "a byte now and then is not enough")
    expect(TransferPace(bytes: .max, now: .max).nextCheck(at: 0) != nil, "no trap")
    expect(TransferPace(bytes: -1, now: 0).nextCheck(at: 0) != nil, "no trap")
  }
}
