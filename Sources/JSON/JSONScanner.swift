/// Steps over the tokens of a document that was checked before, without trusting that it was.
struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private let end: Int

  /// Starts at the beginning of the range, as far as it lies in the bytes.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next byte, nil at the end.
  var peek: UInt8? { position < end ? bytes[position] : nil }

  /// Steps over the next byte.
  mutating func advance() {
    if position < end { position += 1 }
  }

  /// Steps over white space and the byte after it when that is the wanted one.
  mutating func skip(_ wanted: UInt8) -> Bool {
    skipSpace()
    guard peek == wanted else { return false }
    position += 1
    return true
  }

  /// Steps over a string and gives the place of what is between the quotes.
  mutating func string() -> Range<Int>? {
    guard skip(0x22) else { return nil }
    let start = position
    while let byte = peek {
      position += 1
      if byte == 0x22 { return start..<position - 1 }
      if byte == 0x5C { advance() }
    }
    return nil
  }

  /// Steps over a value and gives its place.
  mutating func value() -> Range<Int>? {
    skipSpace()
    let start = position
    guard let first = peek else { return nil }
    switch first {
    case 0x22:
      guard string() != nil else { return nil }
    case 0x7B, 0x5B:
      guard container() else { return nil }
    default: skipScalar()
    }
    return position > start ? start..<position : nil
  }

  /// Steps over the bytes of a number and says whether they follow RFC 8259 §6.
  mutating func number() -> Bool {
    if peek == 0x2D { position += 1 }
    // A number has no leading zero.
    if peek == 0x30 { position += 1 } else if digits() == 0 { return false }
    if peek == 0x2E {
      position += 1
      if digits() == 0 { return false }
    }
    if peek == 0x65 || peek == 0x45 {
      position += 1
      if peek == 0x2B || peek == 0x2D { position += 1 }
      if digits() == 0 { return false }
    }
    guard let next = peek else { return true }
    return Self.endsScalar(next)
  }

  /// Whether the characters of a string, after its escapes, are those of the text.
  func unescaped(_ range: Range<Int>, equals text: String) -> Bool {
    let key = UnsafeRawBufferPointer(rebasing: bytes[range])
    if !key.contains(0x5C) { return key.elementsEqual(text.utf8) }
    var decoder = JSONUnescaper(key)
    // UTF-16, because that is what `\u` holds.
    for unit in text.utf16 where decoder.next() != unit { return false }
    return decoder.next() == nil
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func container() -> Bool {
    // The kinds of brackets match in a checked document, so that counting them is enough.
    var depth = 0
    while let byte = peek {
      switch byte {
      case 0x22:
        guard string() != nil else { return false }
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func skipScalar() {
    while let byte = peek, !Self.endsScalar(byte) { position += 1 }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, 0x2C, 0x3A, 0x5D, 0x7D: true
    default: false
    }
  }
}
