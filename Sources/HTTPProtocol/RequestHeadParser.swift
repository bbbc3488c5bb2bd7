/// Reads the head of a request, strictly (RFC 9112).
///
/// Bytes are looked at once, however they arrive, and a violation is reported at its first byte: an attacker cannot hold a connection with
/// a request that is already wrong. Nothing is kept of the bytes; each call gets all of them from the start of the head.
package struct RequestHeadParser: Sendable {
  /// What the bytes so far amount to.
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    /// A whole head in the first `consumed` bytes. The parser stands ready for the next head behind them.
    case head(RequestHead, consumed: Int)
    /// The request is malformed, and no byte that follows changes that.
    case violation(RequestViolation)
  }

  private enum State: Equatable {
    /// Before the method, where empty lines are skipped (RFC 9112 §2.2). Next: `method`.
    case start
    /// Behind the CR of an empty line. Next: `start`.
    case startLineFeed
    /// In the method that began at an offset. Next: `target`.
    case method(start: Int)
    /// In the target that began at an offset. Next: `version`.
    case target(start: Int)
    /// In the version, before the byte of this place in `HTTP/1.1` CR LF. Next: `fields`.
    case version(place: Int)
    /// In the header section. Next: `start`, with the next head.
    case fields
    /// Terminal.
    case failed(RequestViolation)
  }

  private let limits: HTTPLimits
  private var state: State = .start
  private var scanned = 0
  private var line = RequestLine()
  private var section: FieldSectionParser
  private var checks = RequestFieldChecks()

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
    do throws(RequestViolation) {
      while scanned < bytes.count {
        guard scanned < limits.maxHeadBytes else { throw RequestViolation(.headTooLong) }
        if state == .fields { scanned = section.skip(bytes, from: scanned, to: min(bytes.count, limits.maxHeadBytes) - 1) }
        let index = scanned
        scanned += 1
        if try take(bytes[index], at: index, in: bytes) {
          let head = try checks.head(line, section.fields)
          let consumed = scanned
          self = RequestHeadParser(limits: limits)
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
  private mutating func take(_ byte: UInt8, at index: Int, in bytes: UnsafeRawBufferPointer) throws(RequestViolation) -> Bool {
    switch state {
    case .start:
      switch byte {
      case ASCII.carriageReturn: state = .startLineFeed
      case ASCII.lineFeed: throw RequestViolation(.field(.bareLineFeed))
      case _ where ASCII.isToken(byte): state = .method(start: index)
      default: throw RequestViolation(.badMethod)
      }
    case .startLineFeed:
      guard byte == ASCII.lineFeed else { throw RequestViolation(.field(.bareCarriageReturn)) }
      state = .start
    case .method(let start): try takeMethod(byte, at: index, start, bytes)
    case .target(let start): try takeTarget(byte, at: index, start, bytes)
    case .version(let place): try takeVersion(byte, place)
    case .fields: return try takeField(byte, at: index, bytes)
    case .failed(let violation): throw violation
    }
    return false
  }

  private mutating func takeMethod(_ byte: UInt8, at index: Int, _ start: Int, _ bytes: UnsafeRawBufferPointer) throws(RequestViolation) {
    if byte == ASCII.space {
      line.method = String(decoding: bytes[start..<index], as: UTF8.self)
      state = .target(start: index + 1)
      return
    }
    guard ASCII.isToken(byte) else { throw RequestViolation(.badMethod) }
    guard index - start < HTTPLimits.maxMethodBytes else { throw RequestViolation(.methodTooLong) }
  }

  private mutating func takeTarget(_ byte: UInt8, at index: Int, _ start: Int, _ bytes: UnsafeRawBufferPointer) throws(RequestViolation) {
    switch byte {
    case ASCII.space:
      line.target = String(decoding: bytes[start..<index], as: UTF8.self)
      state = .version(place: 0)
    case ASCII.carriageReturn: throw RequestViolation(.badRequestLine)
    case ASCII.lineFeed: throw RequestViolation(.field(.bareLineFeed))
    case 0x21...0x7E where !RequestTarget.isForbidden(byte):
      guard index - start < limits.maxTargetBytes else { throw RequestViolation(.targetTooLong) }
    default: throw RequestViolation(.badTarget)
    }
  }

  private mutating func takeVersion(_ byte: UInt8, _ place: Int) throws(RequestViolation) {
    state = .version(place: place + 1)
    let isExpected: Bool
    switch place {
    case 0..<5: isExpected = byte == HTTPVersion.nameByte(place)
    case 5:
      isExpected = ASCII.isDigit(byte)
      guard !isExpected || byte == UInt8(ascii: "1") else { throw RequestViolation(.unsupportedVersion) }
    case 6: isExpected = byte == UInt8(ascii: ".")
    case 7:
      isExpected = ASCII.isDigit(byte)
      line.version = HTTPVersion(major: 1, minor: byte & 0x0F)
    case 8:
      guard byte != ASCII.lineFeed else { throw RequestViolation(.field(.bareLineFeed)) }
      isExpected = byte == ASCII.carriageReturn
    default:
      guard byte == ASCII.lineFeed else { throw RequestViolation(.field(.bareCarriageReturn)) }
      isExpected = true
      checks.target = try RequestTarget(line)
      state = .fields
    }
    guard isExpected else { throw RequestViolation(.badRequestLine) }
  }

  private mutating func takeField(_ byte: UInt8, at index: Int, _ bytes: UnsafeRawBufferPointer) throws(RequestViolation) -> Bool {
    switch section.take(byte, at: index, in: bytes) {
    case .more: return false
    case .field:
      if let field = section.fields.last { try checks.take(field, line.version) }
      return false
    case .end: return true
    case .fault(let fault): throw RequestViolation(.field(fault))
    }
  }
}

/// The three parts of a request line as they become known.
struct RequestLine: Equatable, Sendable {
  var method = ""
  var target = ""
  var version = HTTPVersion.http11
}
