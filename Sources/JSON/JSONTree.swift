/// A JSON document as a plain value, for rare uses such as configuration, custom data and tests.
package indirect enum JSONTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Also a whole number above the range of `Int64`, rounded.
  case double(Double)
  case string(String)
  case array([JSONTree])
  /// Members in the order of the text.
  case object([Member])

  /// A member of an object.
  package struct Member: Equatable, Sendable {
    /// The key without escapes.
    package var key: String
    /// The value.
    package var value: JSONTree

    /// Makes a member.
    package init(_ key: String, _ value: JSONTree) {
      self.key = key
      self.value = value
    }
  }

  /// Copies a value of a parsed document.
  package init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .integer(value)
    case .uint(let value): self = .double(Double(value))
    case .double(let value): self = .double(value)
    case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .array(let elements): self = .array(elements.map { JSONTree($0) })
    case .object(let members): self = .object(members.map { Member($0.key, JSONTree($0.value)) })
    }
  }

  /// Parses a document of at most `maxBytes` bytes nested at most `maxDepth` deep, without duplicate keys.
  package init(parsing bytes: [UInt8], maxBytes: Int = 1 << 20, maxDepth: Int = 64) throws(JSONError) {
    guard let parser = JSONParser(maxBytes: maxBytes, maxDepth: maxDepth) else { throw JSONError(.outOfMemory) }
    let result = try parser.parse(bytes) { (root) throws(JSONError) in
      guard root.firstDuplicateKey() == nil else { throw JSONError(.duplicateKey) }
      return JSONTree(root)
    }
    self = try result.get()
  }

  /// Parses the text of a document; the same as `init(parsing:)` for bytes.
  package init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The document as compact JSON.
  package var encoded: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the document as the writer's next value.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(named: member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// The first member with this key; nil when there is none or the value is no object.
  package subscript(key: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }
}
