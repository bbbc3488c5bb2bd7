/// What a `Range` field asks for of a content (RFC 9110 §14).
package enum ByteRange: Equatable, Sendable {
  /// All of it: no range was asked for, or one of a kind that is not served, which may be ignored (§14.2).
  case whole
  /// Some of it.
  case part(Range<Int64>)
  /// Nothing that is there: 416.
  case unsatisfiable

  /// Reads the value of the field.
  ///
  /// - Parameters:
  ///   - field: As in `bytes=0-499`, `bytes=500-` or `bytes=-500`; several ranges are answered with the whole.
  ///   - size: Bytes of the content, not negative.
  package init(_ field: String?, size: Int64) {
    guard let field, let ends = Self.ends(field) else {
      self = .whole
      return
    }
    switch ends {
    case (nil, nil): self = .whole
    case (nil, let count?): self = count > 0 && size > 0 ? .part(max(0, size - min(count, size))..<size) : .unsatisfiable
    case (let first?, nil): self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?):
      if last < first { self = .whole } else { self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable }
    }
  }

  /// The two numbers of a single range; nil where it is none.
  private static func ends(_ field: String) -> (Int64?, Int64?)? {
    let bytes = field.utf8
    let unit = "bytes=".utf8
    guard bytes.count > unit.count, ASCII.equal(bytes.prefix(unit.count), unit) else { return nil }
    let parts = bytes.dropFirst(unit.count).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var numbers: [Int64?] = []
    for part in parts {
      guard part.count <= 18, part.allSatisfy(ASCII.isDigit) else { return nil }
      numbers.append(part.isEmpty ? nil : Int64(String(Substring(part))))
    }
    return (numbers[0], numbers[1])
  }
}
