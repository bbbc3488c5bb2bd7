/// Reads header field lines byte by byte up to the empty line (RFC 9112 §5).
struct FieldSectionParser: Equatable, Sendable {
  /// What one byte led to.
  enum Step: Equatable {
    /// The line goes on.
    case more
    /// A field became whole; it is the last of `fields`.
    case field
    /// The empty line is whole: the section is over.
    case end
    /// The byte is wrong where it stands.
    case fault(FieldFault)
  }

  private enum State: Equatable {
    /// At the first byte of a line. Next: `name`, `endLineFeed`.
    case lineStart
    /// In a name that began at an offset. Next: `value`.
    case name(start: Int)
    /// In the value of a field. Next: `valueLineFeed`.
    case value(name: Range<Int>)
    /// Behind the CR of a field line. Next: `lineStart`.
    case valueLineFeed(name: Range<Int>)
    /// Behind the CR of the empty line. Terminal behind its LF.
    case endLineFeed
  }

  private let maxFields: Int
  private var state: State = .lineStart
  /// The fields that are whole.
  private(set) var fields: [HeaderField] = []

  init(maxFields: Int) {
    self.maxFields = maxFields
  }

  /// Takes the byte at `index`; `bytes` reaches back to the start of the head, at the same offsets in each call.
  mutating func take(_ byte: UInt8, at index: Int, in bytes: UnsafeRawBufferPointer) -> Step {
    switch state {
    case .lineStart: return startLine(byte, at: index)
    case .name(let start):
      if byte == UInt8(ascii: ":") {
        state = .value(name: start..<index)
        return .more
      }
      if ASCII.isToken(byte) { return .more }
      return .fault(ASCII.isBlank(byte) ? .spaceBeforeColon : .badName)
    case .value(let name):
      if ASCII.isFieldValue(byte) { return .more }
      switch byte {
      case ASCII.carriageReturn: state = .valueLineFeed(name: name)
      case ASCII.lineFeed: return .fault(.bareLineFeed)
      default: return .fault(.badValue)
      }
      return .more
    case .valueLineFeed(let name):
      guard byte == ASCII.lineFeed else { return .fault(.bareCarriageReturn) }
      let value = ASCII.trimmed(bytes[(name.upperBound + 1)..<(index - 1)])
      fields.append(HeaderField(String(decoding: bytes[name], as: UTF8.self), String(decoding: value, as: UTF8.self)))
      state = .lineStart
      return .field
    case .endLineFeed:
      return byte == ASCII.lineFeed ? .end : .fault(.bareCarriageReturn)
    }
  }

  /// How far from `index` on bytes only prolong a name or a value: for these ``take(_:at:in:)`` would change nothing.
  func skip(_ bytes: UnsafeRawBufferPointer, from index: Int, to end: Int) -> Int {
    var index = index
    switch state {
    case .name: while index < end, ASCII.isToken(bytes[index]) { index += 1 }
    case .value: while index < end, ASCII.isFieldValue(bytes[index]) { index += 1 }
    case .lineStart, .valueLineFeed, .endLineFeed: break
    }
    return index
  }

  private mutating func startLine(_ byte: UInt8, at index: Int) -> Step {
    switch byte {
    case ASCII.carriageReturn: state = .endLineFeed
    case ASCII.lineFeed: return .fault(.bareLineFeed)
    case ASCII.space, ASCII.tab: return .fault(.foldedLine)
    case _ where !ASCII.isToken(byte): return .fault(.badName)
    case _ where fields.count >= maxFields: return .fault(.tooManyFields)
    default: state = .name(start: index)
    }
    return .more
  }
}
