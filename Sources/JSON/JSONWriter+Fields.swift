extension JSONWriter {
  /// Writes a member with a string.
  package mutating func field(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Writes a member with a string or `null`.
  package mutating func field(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  /// Writes a member with a whole number.
  package mutating func field(_ name: StaticString, _ value: Int64) {
    key(name)
    integer(value)
  }

  /// Writes a member with a whole number or `null`.
  package mutating func field(_ name: StaticString, _ value: Int64?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  /// Writes a member with a whole number.
  package mutating func field(_ name: StaticString, _ value: Int) {
    key(name)
    integer(Int64(value))
  }

  /// Writes a member with a truth value.
  package mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Writes a member with a number.
  package mutating func field(_ name: StaticString, _ value: Double) {
    key(name)
    double(value)
  }

  /// Writes a member with an array of strings.
  package mutating func field(_ name: StaticString, _ values: [String]) {
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  /// Writes a member with a value that is JSON already; it is not checked.
  package mutating func field(_ name: StaticString, raw encoded: [UInt8]) {
    key(name)
    raw(encoded)
  }

  /// Writes a member with a string, or nothing at all for nil.
  package mutating func field(_ name: StaticString, ifPresent value: String?) {
    if let value { field(name, value) }
  }

  /// Writes a member with a whole number, or nothing at all for nil.
  package mutating func field(_ name: StaticString, ifPresent value: Int64?) {
    if let value { field(name, value) }
  }

  /// Writes a value of a parsed document, compact; numbers get their shortest form.
  package mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .bool(let value): bool(value)
    case .int(let value): integer(value)
    case .uint(let value): unsigned(value)
    case .double(let value): double(value)
    case .string(let bytes): string(utf8: bytes)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(utf8: member.keyBytes)
        self.value(member.value)
      }
      endObject()
    }
  }
}
