/// Writes compact JSON as bytes; commas are its own work, the nesting is the caller's.
///
/// Strings are written as UTF-8 with the escapes that RFC 8259 §7 requires and no others.
package struct JSONWriter: Sendable {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next element or key follows another one in the same container.
  private var needsComma = false

  /// Makes an empty writer with memory for that many bytes.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(max(0, capacity))
  }

  /// Forgets what has been written and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  // MARK: Containers

  /// Opens an object as the next value.
  package mutating func beginObject() { open(0x7B) }
  /// Closes the object that was opened last.
  package mutating func endObject() { close(0x7D) }
  /// Opens an array as the next value.
  package mutating func beginArray() { open(0x5B) }
  /// Closes the array that was opened last.
  package mutating func endArray() { close(0x5D) }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(0x2C) }
    needsComma = true
  }

  // MARK: Keys

  /// Writes a member's key; its value comes next.
  package mutating func key(_ name: StaticString) {
    separate()
    name.withUTF8Buffer { quote(UnsafeRawBufferPointer($0)) }
    endKey()
  }

  /// Writes a key that is only known at run time; its value comes next.
  package mutating func key(named name: String) {
    separate()
    quote(name)
    endKey()
  }

  /// Writes a key from its UTF-8 bytes, which must be valid; its value comes next.
  package mutating func key(utf8 name: UnsafeRawBufferPointer) {
    separate()
    quote(name)
    endKey()
  }

  private mutating func endKey() {
    bytes.append(0x3A)
    needsComma = false
  }

  // MARK: Values

  /// Writes a string.
  package mutating func string(_ text: String) {
    separate()
    quote(text)
  }

  /// Writes a string from its UTF-8 bytes, which must be valid.
  package mutating func string(utf8 text: UnsafeRawBufferPointer) {
    separate()
    quote(text)
  }

  /// Writes a whole number.
  package mutating func integer(_ value: Int64) {
    separate()
    digits(value)
  }

  /// Writes a whole number above the range of `Int64`.
  package mutating func unsigned(_ value: UInt64) {
    separate()
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Writes a number in the shortest form that gives it back; `null` for infinities and NaN, which JSON has not.
  package mutating func double(_ value: Double) {
    separate()
    bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    separate()
    (value ? "true" : "false" as StaticString).withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes `null`.
  package mutating func null() {
    separate()
    ("null" as StaticString).withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a value that is JSON already; it is not checked.
  package mutating func raw(_ encoded: [UInt8]) {
    separate()
    bytes.append(contentsOf: encoded)
  }

  /// Writes a value that is JSON already; it is not checked.
  package mutating func raw(_ encoded: UnsafeRawBufferPointer) {
    separate()
    append(encoded)
  }

  // MARK: Bytes

  private mutating func digits(_ value: Int64) {
    var rest = value.magnitude
    if value < 0 { bytes.append(0x2D) }
    if rest < 10 {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: rest))
      return
    }
    // UInt64.max has 20 digits.
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { buffer in
      var start = 20
      while rest > 0 {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        buffer[start] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      append(UnsafeRawBufferPointer(rebasing: buffer[start...]))
    }
  }

  private mutating func quote(_ text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ quote(UnsafeRawBufferPointer($0)) }) != nil { return }
    var native = text
    native.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
  }

  private mutating func quote(_ text: UnsafeRawBufferPointer) {
    bytes.append(0x22)
    var start = 0
    while let index = Self.firstToEscape(in: text, from: start) {
      append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
      escape(text[index])
      start = index + 1
    }
    append(start == 0 ? text : UnsafeRawBufferPointer(rebasing: text[start...]))
    bytes.append(0x22)
  }

  private mutating func append(_ text: UnsafeRawBufferPointer) {
    // An array copies a typed buffer at once and a raw one byte by byte.
    text.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(0x5C)
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x08: bytes.append(0x62)
    case 0x09: bytes.append(0x74)
    case 0x0A: bytes.append(0x6E)
    case 0x0C: bytes.append(0x66)
    case 0x0D: bytes.append(0x72)
    default:
      // Only control characters come here: \u00XX.
      let low = byte & 0x0F
      bytes.append(contentsOf: [0x75, 0x30, 0x30, 0x30 + (byte >> 4), low < 10 ? 0x30 + low : 0x57 + low])
    }
  }

  private static func firstToEscape(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    // Eight bytes at a time while none of them needs an escape.
    while text.count - index >= 8, !hasByteToEscape(text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { index += 8 }
    while index < text.count {
      let byte = text[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return index }
      index += 1
    }
    return nil
  }

  /// Whether a byte of the word is below 0x20, a quote or a backslash ("Bit Twiddling Hacks", hasless and haszero).
  private static func hasByteToEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let controls = (word &- (ones &* 0x20)) & ~word
    let found = controls | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
    return found & (ones &* 0x80) != 0
  }
}
