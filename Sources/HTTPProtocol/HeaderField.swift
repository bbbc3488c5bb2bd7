/// One header field line.
package struct HeaderField: Equatable, Sendable {
  /// The name as it was sent; names are compared without regard to ASCII case (RFC 9110 §5.1).
  package let name: String
  /// The value without the whitespace around it; bytes that are not UTF-8 have become U+FFFD.
  package let value: String

  /// Makes a field from a name and a value.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A message that has header fields.
package protocol HasHeaderFields {
  /// The fields in the order in which they came.
  var fields: [HeaderField] { get }
}

extension HasHeaderFields {
  /// The values of all fields with this name, joined by `, ` (RFC 9110 §5.2), or `nil` if there is none.
  ///
  /// A field that must stand alone, sent twice, becomes a value that equals neither of the two.
  package subscript(name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// The values of the fields with this name, one for each line.
  package func values(of name: String) -> [String] {
    fields.lazy.filter { ASCII.equal($0.name, name) }.map(\.value)
  }

  /// Whether a comma-separated list field has this token, without regard to ASCII case.
  package func hasToken(_ name: String, _ token: String) -> Bool {
    values(of: name).contains { value in
      value.utf8.split(separator: UInt8(ascii: ",")).contains { ASCII.equal(ASCII.trimmed($0), token.utf8) }
    }
  }
}
