import TestSupport
import Testing

@testable import Observability

@Test func `an observation falls into the first range that holds it`() {
  let cases: [(UInt64, Int)] = [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (512, 9), (513, 10), (.max, 10)]
  for (value, range) in cases {
    var histogram = Histogram(.count)
    histogram.observe(value)
    expectEqual(histogram.counts.firstIndex(of: 1), range, "\(value)")
    expectEqual(histogram.total, 1, "\(value)")
    expectEqual(histogram.sum, value, "\(value)")
  }
  for layout in [Histogram.Layout.count, .duration] { expectEqual(layout.bounds, layout.bounds.sorted(), "ascending bounds") }
}

@Test func `histograms of one layout merge, and sums wrap instead of trapping`() {
  var left = Histogram(.count)
  left.observe(1)
  left.observe(.max)
  var right = Histogram(.count)
  right.observe(1)
  right.observe(5)
  left.merge(right)
  expectEqual(left.counts[0], 2, "added")
  expectEqual(left.total, 4, "all")
  expectEqual(left.sum, 6, "wrapped")
  let before = left
  left.merge(Histogram(.duration))
  expectEqual(left, before, "another layout is left out")
}
