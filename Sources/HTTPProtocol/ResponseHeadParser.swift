/// A response that breaks HTTP/1.1.
package enum ResponseViolation: Error, Equatable, Sendable {
  /// The status line is malformed (RFC 9112 §4).
  case badStatusLine
  /// Another major version than 1.
  case unsupportedVersion
  /// The head is over the limit.
  case headTooLong
  /// The header section is malformed.
  case field(FieldFault)
}

/// Reads the head of a response, as strictly as ``RequestHeadParser`` reads a request.
package struct ResponseHeadParser: Sendable {
  /// What the bytes so far amount to.
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// A whole head in the first `consumed` bytes.
    case head(ResponseHead, consumed: Int)
    /// The response is malformed, and no byte that follows changes that.
    case violation(ResponseViolation)
  }

  private enum State: Equatable {
    /// In the status line, before the byte of this place. Next: `reason`.
    case status(place: Int)
    /// In the reason phrase. Next: `reasonLineFeed`.
    case reason
    /// Behind the CR of the status line. Next: `fields`.
    case reasonLineFeed
    /// In the header section. Next: `status`, with the next head.
    case fields
    /// Terminal.
    case failed(ResponseViolation)
  }

  private let limits: HTTPLimits
  private var state: State = .status(place: 0)
  private var scanned = 0
  private var status = 0
  private var section: FieldSectionParser

  /// Starts before the first byte of a head.
  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
    section = FieldSectionParser(maxFields: limits.maxFields)
  }

  /// Looks at the bytes that are new since the last call.
  ///
  /// - Parameter bytes: All bytes from the start of the head; never fewer than in the call before.
  package mutating func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    if case .failed(let violation) = state { return .violation(violation) }
    do throws(ResponseViolation) {
      while scanned < bytes.count {
        guard scanned < limits.maxHeadBytes else { throw ResponseViolation.headTooLong }
        if state == .fields { scanned = section.skip(bytes, from: scanned, to: min(bytes.count, limits.maxHeadBytes) - 1) }
        let index = scanned
        scanned += 1
        if try take(bytes[index], at: index, in: bytes) {
          let head = ResponseHead(status: status, fields: section.fields)
          let consumed = scanned
          self = ResponseHeadParser(limits: limits)
          return .head(head, consumed: consumed)
        }
      }
      return .incomplete
    } catch {
      state = .failed(error)
      return .violation(error)
    }
  }

  /// Takes one byte and says whether it was the last of the head.
  private mutating func take(_ byte: UInt8, at index: Int, in bytes: UnsafeRawBufferPointer) throws(ResponseViolation) -> Bool {
    switch state {
    case .status(let place): try takeStatus(byte, place)
    case .reason:
      if byte == ASCII.carriageReturn {
        state = .reasonLineFeed
      } else if byte == ASCII.lineFeed {
        throw ResponseViolation.field(.bareLineFeed)
      } else if !ASCII.isFieldValue(byte) {
        throw ResponseViolation.badStatusLine
      }
    case .reasonLineFeed:
      guard byte == ASCII.lineFeed else { throw ResponseViolation.field(.bareCarriageReturn) }
      state = .fields
    case .fields:
      switch section.take(byte, at: index, in: bytes) {
      case .more, .field: return false
      case .end: return true
      case .fault(let fault): throw ResponseViolation.field(fault)
      }
    case .failed(let violation): throw violation
    }
    return false
  }

  private mutating func takeStatus(_ byte: UInt8, _ place: Int) throws(ResponseViolation) {
    state = .status(place: place + 1)
    let isExpected: Bool
    switch place {
    case 0..<5: isExpected = byte == HTTPVersion.nameByte(place)
    case 5:
      isExpected = ASCII.isDigit(byte)
      guard !isExpected || byte == UInt8(ascii: "1") else { throw ResponseViolation.unsupportedVersion }
    case 6: isExpected = byte == UInt8(ascii: ".")
    case 7: isExpected = ASCII.isDigit(byte)
    case 8: isExpected = byte == ASCII.space
    case 9...11:
      isExpected = ASCII.isDigit(byte) && (place > 9 || byte != UInt8(ascii: "0"))
      status = status * 10 + Int(byte & 0x0F)
    default:
      // Some servers leave out the space with the phrase; RFC 9112 §4 lets clients read that.
      isExpected = byte == ASCII.space || byte == ASCII.carriageReturn
      state = byte == ASCII.space ? .reason : .reasonLineFeed
    }
    guard isExpected else { throw ResponseViolation.badStatusLine }
  }
}
