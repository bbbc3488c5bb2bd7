import TestSupport
import Testing

@testable import Gateway

@Test func `each kind of work is used up after so many, and no number overflows`() {
  let rows: [(String, Int, (inout TurnWork) -> Void)] = [
    ("frames", 512, { _ = $0.frame(after: 0) }), ("long frames", 2, { _ = $0.frame(after: 131_072) }), ("bombs", 2, { $0.bytes(131_072) }),
    ("batches", 8, { $0.calls(32) }),
    ("requests", 32, { $0.request() }), ("pages of metrics", 1, { $0.page() }),
    ("tokens", 8, { $0.token() }), ("huge messages", 1, { $0.bytes(.max) }), ("huge batches", 1, { $0.calls(.max) }),
  ]
  for (name, most, act) in rows {
    var work = TurnWork()
    var count = 0
    while !work.isUsedUp, count < 1_000 {
      act(&work)
      count += 1
    }
    expectEqual(count, most, name)
    for _ in 0..<10 { act(&work) }
    expect(work.isUsedUp, "\(name): it stays so")
  }
}
