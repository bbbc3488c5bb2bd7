/// Ends the process where a property does not hold: the fuzzer keeps the input that led there.
///
/// Release builds leave `assert` out, so nothing here uses it.
@inline(__always)
package func require(_ holds: Bool, _ property: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
  if !holds { fatalError(property(), file: file, line: line) }
}

/// Ends the process where two ways to the same thing differ, and tells both.
package func requireEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
  if one != other { fatalError("\(what()):\n  \(one)\n  \(other)", file: file, line: line) }
}

/// Gives the value that must be there, or ends the process.
package func required<Value>(
  _ value: Value?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Value {
  guard let value else { fatalError(what(), file: file, line: line) }
  return value
}
