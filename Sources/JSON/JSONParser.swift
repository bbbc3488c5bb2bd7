import CSimdJSON

/// A JSON parser with its own memory, to be kept and used again: one for each event loop.
///
/// The whole document is checked before the body sees it: grammar, UTF-8, escapes, depth and numbers. Duplicate member names are
/// not found by this check; see `JSONValue.firstDuplicateKey()`.
package final class JSONParser {
  private let parser: OpaquePointer
  private var isBusy = false

  /// Makes a parser for documents of at most `maxBytes` bytes with at most `maxDepth` containers inside each other.
  ///
  /// Memory is taken with the first documents and grows with them: about ten bytes for each byte of the largest one.
  /// Nil unless the bounds are 1 to 2^31 bytes and 1 to 256 levels (what walks
  /// over a document is recursive), and when there is no memory.
  package init?(maxBytes: Int, maxDepth: Int) {
    guard maxBytes > 0, maxBytes <= 1 << 31, maxDepth > 0, maxDepth <= 256 else { return nil }
    guard let parser = json_parser_make(maxBytes, maxDepth) else { return nil }
    self.parser = parser
  }

  deinit {
    json_parser_free(parser)
  }

  /// Parses one document and hands its root to `body`.
  ///
  /// Values and their bytes are the parser's memory and **end with the call**: the body must not let one escape.
  /// - Returns: the body's result, or why the bytes are not a document.
  /// - Throws: what the body throws.
  package func parse<Output, Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, _ body: (JSONValue) throws(Failure) -> Output
  ) throws(Failure) -> Result<Output, JSONError> {
    guard !isBusy else { return .failure(JSONError(.busy)) }
    isBusy = true
    defer { isBusy = false }
    var root = json_value()
    let outcome = json_parse(parser, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &root)
    if let kind = Self.failure(outcome, bytes) { return .failure(JSONError(kind)) }
    return .success(try body(JSONValue(root)))
  }

  /// Parses one document held in an array; the same as the other `parse`.
  package func parse<Output, Failure: Error>(
    _ bytes: [UInt8], _ body: (JSONValue) throws(Failure) -> Output
  ) throws(Failure) -> Result<Output, JSONError> {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result<Output, JSONError> in
      try parse(UnsafeRawBufferPointer(buffer), body)
    }
  }

  /// Whether the bytes are valid UTF-8 (RFC 3629: no surrogates, no overlong forms); an empty buffer is.
  package static func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    json_is_utf8(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Whether the bytes are valid UTF-8; the same for an array.
  package static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { isValidUTF8($0) }
  }

  private static func failure(_ outcome: json_outcome, _ bytes: UnsafeRawBufferPointer) -> JSONError.Kind? {
    switch outcome {
    case json_parsed: nil
    case json_too_large: .size
    case json_too_deep: .depth
    case json_bad_utf8: .invalidUTF8
    // simdjson has one code for a malformed number and for one that is too large.
    case json_bad_number: JSONText.numbersAreWellFormed(in: bytes) ? .numberOutOfRange : .syntax
    case json_no_memory: .outOfMemory
    default: .syntax
    }
  }
}
