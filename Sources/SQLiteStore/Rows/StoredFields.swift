import CSQLite
import ChatEngine
import ChatModel
import JSON

/// The form of columns that hold lists, maps and content: JSON text, and NULL for the empty ones.
///
/// It belongs to one connection, because it keeps a parser and a writer with their memory.
final class StoredFields {
  private let parser: JSONParser
  private var writer = JSONWriter(capacity: 1024)

  /// Makes the form; fails only without memory.
  init() throws(StoreError) {
    guard let parser = JSONParser(maxBytes: Self.maxBytes, maxDepth: Self.maxDepth) else {
      throw .sqlite(SQLITE_NOMEM, handle: nil, folder: "")
    }
    self.parser = parser
  }

  /// Far above the largest message that can be configured.
  private static let maxBytes = 64 << 20
  private static let maxDepth = 64

  // MARK: Writing

  /// Binds strings as a JSON array.
  func bind(_ strings: [String], to statement: Statement) {
    bind(to: statement, isEmpty: strings.isEmpty) { writer in Self.write(strings, to: &writer) }
  }

  /// Binds custom fields as a JSON object.
  func bind(_ custom: CustomFields, to statement: Statement) {
    bind(to: statement, isEmpty: custom.isEmpty) { writer in Self.write(custom, to: &writer) }
  }

  /// Binds a message's body as a JSON array of blocks.
  func bind(_ content: [ContentBlock], to statement: Statement) {
    bind(to: statement, isEmpty: content.isEmpty) { writer in StoredContent.write(content, to: &writer) }
  }

  func bind(to statement: Statement, isEmpty: Bool, _ write: (inout JSONWriter) -> Void) {
    guard !isEmpty else { return statement.bindNull() }
    writer.removeAll()
    write(&writer)
    writer.bytes.withUnsafeBytes { statement.bind(utf8: $0) }
  }

  private static func write(_ strings: [String], to writer: inout JSONWriter) {
    writer.beginArray()
    for text in strings { writer.string(text) }
    writer.endArray()
  }

  static func write(_ custom: CustomFields, to writer: inout JSONWriter) {
    writer.beginObject()
    for entry in custom.entries {
      writer.key(named: entry.key)
      writer.string(entry.value)
    }
    writer.endObject()
  }

  // MARK: Reading

  /// Reads strings from the next column.
  func strings(from statement: Statement) throws(StoreError) -> [String] {
    try read(from: statement, ifNull: []) { Self.strings($0) }
  }

  /// Reads custom fields from the next column.
  func custom(from statement: Statement) throws(StoreError) -> CustomFields {
    try read(from: statement, ifNull: CustomFields()) { Self.custom($0) }
  }

  /// Reads a message's body from the next column.
  func content(from statement: Statement) throws(StoreError) -> [ContentBlock] {
    try read(from: statement, ifNull: []) { StoredContent.read($0) }
  }

  func read<Value>(from statement: Statement, ifNull empty: Value, _ body: (JSONValue) -> Value?) throws(StoreError) -> Value {
    let value = statement.withOptionalBytes { bytes -> Value? in
      guard let bytes else { return empty }
      switch parser.parse(bytes, body) {
      case .success(let value): return value
      case .failure: return nil
      }
    }
    guard let value else { throw .badRow("JSON") }
    return value
  }

  static func strings(_ value: JSONValue) -> [String]? {
    guard let elements = value.array else { return nil }
    var strings: [String] = []
    for element in elements {
      guard let text = element.string else { return nil }
      strings.append(text)
    }
    return strings
  }

  static func custom(_ value: JSONValue) -> CustomFields? {
    guard let members = value.object else { return nil }
    var custom = CustomFields()
    for member in members {
      guard let value = member.value.string else { return nil }
      custom[member.key] = value
    }
    return custom
  }
}
