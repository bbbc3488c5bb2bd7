import CSimdJSON

/// A value of the document that a parser holds: a view of two words, valid until the end of the `parse` call that made it.
package struct JSONValue {
  /// What a value is; numbers are told apart by how they were written.
  package enum Kind: Equatable, Sendable {
    case null, bool
    /// A number without fraction and exponent that fits `Int64`.
    case int
    /// A number without fraction and exponent above `Int64.max` that fits `UInt64`.
    case uint
    /// A number with a fraction or an exponent.
    case double
    case string, array, object
  }

  let raw: json_value

  init(_ raw: json_value) {
    self.raw = raw
  }

  /// What the value is.
  package var kind: Kind {
    switch json_kind_of(raw) {
    case json_bool: .bool
    case json_int: .int
    case json_uint: .uint
    case json_double: .double
    case json_string: .string
    case json_array: .array
    case json_object: .object
    default: .null
    }
  }

  /// Whether the value is `null`.
  package var isNull: Bool { json_kind_of(raw) == json_null }

  /// The truth value, nil for every other kind.
  package var bool: Bool? { json_kind_of(raw) == json_bool ? json_bool_of(raw) : nil }

  /// The whole number, also of a double without a fraction within 2^53 (`1.0`, `1e3`); nil for all others.
  package var integer: Int64? {
    switch json_kind_of(raw) {
    case json_int: json_int_of(raw)
    case json_double: Self.wholeNumber(json_double_of(raw))
    default: nil
    }
  }

  /// The whole number of the kinds `int` and `uint`; nil when negative and for every other kind.
  package var unsigned: UInt64? {
    switch json_kind_of(raw) {
    case json_int: UInt64(exactly: json_int_of(raw))
    case json_uint: json_uint_of(raw)
    default: nil
    }
  }

  /// The number as a double, nil for every other kind; large whole numbers are rounded.
  package var double: Double? {
    switch json_kind_of(raw) {
    case json_int: Double(json_int_of(raw))
    case json_uint: Double(json_uint_of(raw))
    case json_double: json_double_of(raw)
    default: nil
    }
  }

  /// The string, nil for every other kind.
  package var string: String? {
    rawStringBytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The string's bytes without escapes, nil for every other kind: valid UTF-8 in the parser's memory, may contain zeros.
  package var rawStringBytes: UnsafeRawBufferPointer? {
    guard json_kind_of(raw) == json_string else { return nil }
    return UnsafeRawBufferPointer(json_text_of(raw))
  }

  /// Calls the body with the string's bytes; nil without a call for every other kind.
  package func withUTF8<Output, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Output
  ) throws(Failure) -> Output? {
    guard let bytes = rawStringBytes else { return nil }
    return try body(bytes)
  }

  /// Whether the value is the string with exactly these bytes.
  package func isString(_ text: StaticString) -> Bool {
    guard let bytes = rawStringBytes else { return false }
    return text.withUTF8Buffer { $0.count == bytes.count && $0.elementsEqual(bytes) }
  }

  private static func wholeNumber(_ value: Double) -> Int64? {
    // Beyond 2^53 a double no longer names one whole number.
    guard value.magnitude <= 9_007_199_254_740_992 else { return nil }
    // `Int64(exactly:)` would need the C mathematics library.
    let whole = Int64(value)
    return Double(whole) == value ? whole : nil
  }
}

extension UnsafeRawBufferPointer {
  init(_ text: json_text) {
    self.init(start: text.bytes, count: text.bytes == nil ? 0 : text.count)
  }
}
