/// Finds values in the text of a document, for what must be given back byte for byte, as a JSON-RPC id (JSON-RPC 2.0 §5).
///
/// The text must be one that `JSONParser` has taken; on any other the answers mean nothing, but nothing traps. Each
/// function reads its text once.
package enum JSONText {
  /// The place of the value of the first member with this key in the object that is the document, or the range of it.
  ///
  /// - Parameters:
  ///   - name: the key without escapes; a key of the text is compared after its escapes.
  ///   - range: the part of the document to read, one of those that `elements` gave; nil for all of it.
  /// - Returns: where the value's own bytes lie in the document, without space around; nil when there is no such member or no object.
  package static func memberValue(
    _ name: String, of document: UnsafeRawBufferPointer, in range: Range<Int>? = nil
  ) -> Range<Int>? {
    var scanner = JSONScanner(document, range)
    guard scanner.skip(0x7B) else { return nil }
    while let key = scanner.string() {
      guard scanner.skip(0x3A), let value = scanner.value() else { return nil }
      if scanner.unescaped(key, equals: name) { return value }
      guard scanner.skip(0x2C) else { return nil }
    }
    return nil
  }

  /// The bytes of the value of the first member with this key; the same as the other `memberValue`.
  package static func memberValue(_ name: String, of document: [UInt8], in range: Range<Int>? = nil) -> Range<Int>? {
    document.withUnsafeBytes { memberValue(name, of: $0, in: range) }
  }

  /// The places of the elements of the array that is the document, at most `limit` of them; none when it is no array.
  package static func elements(of document: UnsafeRawBufferPointer, limit: Int = .max) -> [Range<Int>] {
    var scanner = JSONScanner(document, nil)
    var ranges: [Range<Int>] = []
    guard scanner.skip(0x5B) else { return ranges }
    while ranges.count < limit, let value = scanner.value() {
      ranges.append(value)
      guard scanner.skip(0x2C) else { break }
    }
    return ranges
  }

  /// The places of the elements of the array; the same as the other `elements`.
  package static func elements(of document: [UInt8], limit: Int = .max) -> [Range<Int>] {
    document.withUnsafeBytes { elements(of: $0, limit: limit) }
  }

  /// Whether every number outside strings follows the grammar of RFC 8259 §6.
  static func numbersAreWellFormed(in document: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner(document, nil)
    while let byte = scanner.peek {
      switch byte {
      case 0x22:
        guard scanner.string() != nil else { return true }
      case 0x2D, 0x30...0x39:
        guard scanner.number() else { return false }
      default: scanner.advance()
      }
    }
    return true
  }
}
