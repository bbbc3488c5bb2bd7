/// How often values fell into each of a fixed list of ranges.
///
/// A plain value for the hot path: an observation is a search over a dozen bounds and three additions, without a lock.
package struct Histogram: Sendable, Equatable {
  /// The ranges of a histogram, and how its values are shown.
  package struct Layout: Sendable, Equatable {
    /// The upper ends in ascending order, each belonging to its range.
    package let bounds: [UInt64]
    /// How many observed units make one shown unit: a million for microseconds shown as seconds.
    package let unitsPerShown: UInt64

    /// Microseconds from 100 µs to 5 s, shown as seconds.
    package static let duration = Layout(
      bounds: [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000],
      unitsPerShown: 1_000_000)

    /// Counts from 1 to 512, shown as they are.
    package static let count = Layout(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], unitsPerShown: 1)
  }

  /// The ranges.
  package let layout: Layout
  /// Observations in each range, the last one being everything above the last bound.
  package private(set) var counts: [UInt64]
  /// The sum of all observed values, in observed units.
  package private(set) var sum: UInt64 = 0

  /// An empty histogram.
  package init(_ layout: Layout) {
    self.layout = layout
    counts = Array(repeating: 0, count: layout.bounds.count + 1)
  }

  /// The number of observations.
  package var total: UInt64 { counts.reduce(0, &+) }

  /// Adds an observation.
  package mutating func observe(_ value: UInt64) {
    var range = 0
    while range < layout.bounds.count, value > layout.bounds[range] { range += 1 }
    counts[range] &+= 1
    sum &+= value
  }

  /// Adds the observations of another histogram; one of another layout is left out, for its ranges mean something else.
  package mutating func merge(_ other: Histogram) {
    guard layout == other.layout else { return }
    for range in counts.indices { counts[range] &+= other.counts[range] }
    sum &+= other.sum
  }
}
