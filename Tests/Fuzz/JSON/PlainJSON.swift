/// RFC 8259 read as plainly as it can be written: recursive, with the place of every value, and nothing more.
///
/// It is what the parser, the scanner and the writer of JSON are compared with, so it uses none of them.
struct PlainJSON {
  /// A value and where it stands.
  struct Value {
    let content: Content
    let place: Range<Int>
  }

  /// What a value is.
  indirect enum Content {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string([UInt8])
    case array([Value])
    case object([(key: [UInt8], value: Value)])
  }

  /// The bytes are not a document, or one beyond the bounds.
  struct Refusal: Error {}

  private let bytes: [UInt8]
  private let maxDepth: Int
  private var place = 0

  static func parse(_ bytes: [UInt8], maxDepth: Int) -> Value? {
    var parser = PlainJSON(bytes: bytes, maxDepth: maxDepth)
    guard String(validating: bytes, as: UTF8.self) != nil, let value = try? parser.value(depth: 0) else { return nil }
    parser.skipSpace()
    return parser.place == bytes.count ? value : nil
  }

  private init(bytes: [UInt8], maxDepth: Int) {
    self.bytes = bytes
    self.maxDepth = maxDepth
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func value(depth: Int) throws -> Value {
    skipSpace()
    let start = place
    let content = try content(depth: depth)
    return Value(content: content, place: start..<place)
  }

  private mutating func content(depth: Int) throws -> Content {
    if take("null") { return .null }
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["):
      var items: [Value] = []
      try container("[", "]", depth) { parser in items.append(try parser.value(depth: depth + 1)) }
      return .array(items)
    case UInt8(ascii: "{"):
      var members: [(key: [UInt8], value: Value)] = []
      try container("{", "}", depth) { parser in
        parser.skipSpace()
        let key = try parser.string()
        parser.skipSpace()
        guard parser.take(":") else { throw Refusal() }
        members.append((key, try parser.value(depth: depth + 1)))
      }
      return .object(members)
    default: return try number()
    }
  }

  private mutating func container(_ open: String, _ close: String, _ depth: Int, _ item: (inout PlainJSON) throws -> Void) throws {
    guard depth < maxDepth, take(open) else { throw Refusal() }
    skipSpace()
    if take(close) { return }
    while true {
      try item(&self)
      skipSpace()
      if take(close) { return }
      guard take(",") else { throw Refusal() }
    }
  }

  private mutating func digits() throws -> String {
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
    guard place > start else { throw Refusal() }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func number() throws -> Content {
    let start = place
    let sign = take("-") ? "-" : ""
    let whole = try digits()
    guard whole == "0" || whole.first != "0" else { throw Refusal() }
    var isWhole = true
    if take(".") {
      isWhole = false
      _ = try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      _ = try digits()
    }
    if isWhole {
      if let integer = Int64(sign + whole) { return .integer(integer) }
      guard sign.isEmpty, let unsigned = UInt64(whole) else { throw Refusal() }
      return .unsigned(unsigned)
    }
    guard let double = Double(String(decoding: bytes[start..<place], as: UTF8.self)), double.isFinite else { throw Refusal() }
    return .double(double)
  }

  private mutating func string() throws -> [UInt8] {
    guard take("\"") else { throw Refusal() }
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw Refusal()
      default: text.append(byte)
      }
    }
    throw Refusal()
  }

  private mutating func escape() throws -> [UInt8] {
    for (letter, meaning) in zip("\"\\/bfnrt".utf8, "\"\\/\u{8}\u{C}\n\r\t".utf8) where next == letter {
      place += 1
      return [meaning]
    }
    guard take("u") else { throw Refusal() }
    var code = try hexadecimal()
    if (0xD800..<0xDC00).contains(code) {
      guard take("\\u") else { throw Refusal() }
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw Refusal() }
      code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw Refusal() }
    return Array(String(scalar).utf8)
  }

  private mutating func hexadecimal() throws -> UInt32 {
    let digits = bytes[place...].prefix(4)
    let isHexadecimal = digits.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
    guard digits.count == 4, isHexadecimal, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { throw Refusal() }
    place += 4
    return code
  }
}
