import ChatEngine
import TestSupport
import Testing

@testable import Gateway

@Suite struct ReadingAllTests {
  @Test func `the last of many calls gives the reply`() {
    var reading = ReadingAll()
    let first = CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1)
    let second = CallID(endpoint: Endpoint(loop: 1, connection: 2), serial: 1)
    let one = reading.begin(first, parts: 3)
    let two = reading.begin(second, parts: 1)
    let steps: [(batch: UInt64, didChange: Bool, CallID?, Int)] = [
      (one, true, nil, 0), (two, false, second, 0), (one, false, nil, 0), (two, true, nil, 0), (one, true, first, 2), (one, true, nil, 0),
      (99, true, nil, 0),
    ]
    for (index, (batch, didChange, call, count)) in steps.enumerated() {
      let done = reading.finished(one: batch, didChange: didChange)
      expectEqual(done?.0, call, "step \(index)")
      expectEqual(done?.count ?? 0, count, "step \(index)")
    }
  }
}
