/// A text as bytes, with the looks that markup needs.
struct MarkupBytes {
  let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8 { bytes[index] }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? { bytes[range].firstIndex(of: byte) }

  /// Whether small or capital ASCII letters and other characters stand at an index.
  func begins(with head: StaticString, at index: Int, to end: Int) -> Bool {
    head.withUTF8Buffer { head in
      guard head.count <= end - index else { return false }
      for offset in head.indices where WordCharacter.lowercased(bytes[index + offset]) != head[offset] { return false }
      return true
    }
  }

  // MARK: Scalars

  /// The scalar that begins at an index; nil at the end of a range.
  func scalar(at index: Int, to end: Int) -> Unicode.Scalar? {
    guard index < end else { return nil }
    if bytes[index] < 0x80 { return Unicode.Scalar(bytes[index]) }
    return String(decoding: bytes[index..<min(end, index + 4)], as: UTF8.self).unicodeScalars.first
  }

  /// The scalar that ends before an index; nil at the beginning of a range.
  func scalar(before index: Int, from start: Int) -> Unicode.Scalar? {
    guard index > start else { return nil }
    if bytes[index - 1] < 0x80 { return Unicode.Scalar(bytes[index - 1]) }
    var begin = index - 1
    while begin > start, bytes[begin] & 0xC0 == 0x80 { begin -= 1 }
    return String(decoding: bytes[begin..<index], as: UTF8.self).unicodeScalars.first
  }

  func isWord(before index: Int, from start: Int) -> Bool { scalar(before: index, from: start).map(WordCharacter.isWord) ?? false }

  func isWord(at index: Int, to end: Int) -> Bool { scalar(at: index, to: end).map(WordCharacter.isWord) ?? false }

  /// Whether there is a scalar before an index that is no space.
  func isInk(before index: Int, from start: Int) -> Bool { scalar(before: index, from: start).map { !WordCharacter.isSpace($0) } ?? false }

  /// Whether there is a scalar at an index that is no space.
  func isInk(at index: Int, to end: Int) -> Bool { scalar(at: index, to: end).map { !WordCharacter.isSpace($0) } ?? false }

  /// Whether all of a range is white space.
  func isBlank(_ range: Range<Int>) -> Bool { string(range).unicodeScalars.allSatisfy(WordCharacter.isSpace) }

  // MARK: Pieces

  /// What a point of a list says; nil for a line that is none.
  func bullet(in line: Range<Int>) -> Range<Int>? {
    guard line.count >= 3, bytes[line.lowerBound + 1] == .space else { return nil }
    switch bytes[line.lowerBound] {
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): break
    default: return nil
    }
    var (start, end) = (line.lowerBound + 2, line.upperBound)
    while start < end, bytes[start] == .space { start += 1 }
    while start < end, bytes[end - 1] == .space || bytes[end - 1] == .carriageReturn { end -= 1 }
    return isBlank(start..<end) ? nil : start..<end
  }

  /// The next three backticks.
  func fence(from start: Int) -> Int? {
    var index = start
    while index + 2 < count {
      guard bytes[index + 2] == .backtick else {
        index += 3
        continue
      }
      if bytes[index] == .backtick, bytes[index + 1] == .backtick { return index }
      index += 1
    }
    return nil
  }

  /// The code block between two fences; nil when there is no code in it.
  ///
  /// A word of its own on the line of the first fence is the language.
  func codeBlock(in range: Range<Int>) -> TextNode? {
    var (start, end) = (range.lowerBound, range.upperBound)
    var language: String?
    if let lineEnd = firstIndex(of: .lineBreak, in: range), bytes[start..<lineEnd].allSatisfy(Self.isLanguage),
      lineEnd - start <= ContentLimits.maxNameLength
    {
      if lineEnd > start { language = string(start..<lineEnd) }
      start = lineEnd + 1
    }
    if end > start, bytes[end - 1] == .lineBreak { end -= 1 }
    return isBlank(start..<end) ? nil : .codeBlock(string(start..<end), language: language)
  }

  private static func isLanguage(_ byte: UInt8) -> Bool { WordCharacter.isASCIIWord(byte) || "+#-._".utf8.contains(byte) }
}

extension UInt8 {
  static let lineBreak = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let backtick = UInt8(ascii: "`")
}
