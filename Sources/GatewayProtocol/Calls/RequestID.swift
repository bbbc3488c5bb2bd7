/// The id of a request, as the bytes that stand in its frame; the reply gives them back (JSON-RPC 2.0 §4, §5).
///
/// Two ids are equal when their bytes are: `1` and `1.0` are two ids, as are `"a"` and `"\u0061"`.
package struct RequestID: Hashable, Sendable {
  /// A JSON string or number, or `null`, with the quotes of a string.
  package let bytes: [UInt8]

  /// The longest id in bytes, quotes and escapes included.
  package static let maxBytes = 128

  /// What is answered where a request had no readable id; never the id of a request in flight.
  package static let null = RequestID(unchecked: Array("null".utf8))

  /// Takes the bytes of a JSON string or number; nil when they are too many.
  init?(json bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.maxBytes else { return nil }
    self.init(unchecked: Array(bytes))
  }

  /// Makes the id that a client wrote as this whole number.
  package init(_ number: Int64) {
    self.init(unchecked: Array(number.description.utf8))
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}
