/// What a number has to be; both ends of a range belong to it.
package enum NumberCondition: Hashable, Sendable {
  case above(Int64)
  case below(Int64)
  case atLeast(Int64)
  case atMost(Int64)
  case inside(ClosedRange<Int64>)
  case outside(ClosedRange<Int64>)

  /// Whether the condition holds for a number.
  package func holds(for number: Int64) -> Bool {
    switch self {
    case .above(let bound): number > bound
    case .below(let bound): number < bound
    case .atLeast(let bound): number >= bound
    case .atMost(let bound): number <= bound
    case .inside(let range): range.contains(number)
    case .outside(let range): !range.contains(number)
    }
  }
}
