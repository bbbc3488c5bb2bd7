package import Testing

/// Compares two values and reports both where they differ.
///
/// One generic function instead of a `#expect` for each comparison: the macro costs 20 ms of compile time at each use.
package func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> String = "", at location: SourceLocation = #_sourceLocation
) {
  guard actual != expected else { return }
  Issue.record("\(comment())\n  got      \(actual)\n  expected \(expected)", sourceLocation: location)
}

/// Reports a condition that does not hold.
package func expect(_ condition: Bool, _ comment: @autoclosure () -> String = "", at location: SourceLocation = #_sourceLocation) {
  guard !condition else { return }
  Issue.record("\(comment())", sourceLocation: location)
}
