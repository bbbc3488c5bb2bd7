/// Looks at a client's handshake before OpenSSL does, so that nobody makes us reserve memory for what they only announce.
///
/// OpenSSL reserves, and fills with zeros, what the header of a ClientHello announces: up to 131,396 bytes for a client that sent nine. Real
/// ones have some hundred bytes, with post-quantum keys and a ticket some thousand.
///
/// Only what is in plain text is looked at: the first message, and in TLS 1.3 the second ClientHello that may follow a HelloRetryRequest.
/// There, what follows is encrypted in records of another type; in TLS 1.2 it is not, and OpenSSL's own bounds are small.
struct HelloGuard: Equatable {
  /// The longest message that is let in.
  static let maxMessageBytes = 16_384

  /// What is done with bytes.
  enum Verdict: Equatable {
    /// So many of them may be given to OpenSSL, at most to the end of a record; then ask again.
    case pass(Int)
    /// The message that begins is too long.
    case refuse
  }

  /// Bytes of the record's header that came.
  private var header: [UInt8] = []
  /// Bytes of the record that are to come.
  private var recordLeft = 0
  /// Bytes of the message's header that came.
  private var messageHeader: [UInt8] = []
  /// Bytes of the message that are to come.
  private var messageLeft = 0
  /// Whether the first message is whole.
  private var hasFirst = false

  private static let recordHeaderBytes = 5
  private static let messageHeaderBytes = 4
  /// The types of a handshake's record and of a ClientHello (RFC 8446 §5.1, §4).
  private static let handshakeType: UInt8 = 22
  private static let clientHelloType: UInt8 = 1

  /// Looks at what comes next, to the end of the record at most.
  ///
  /// - Parameters:
  ///   - bytes: What came, beginning with what was not passed yet.
  ///   - version: What the session speaks, as far as that is decided.
  mutating func look(at bytes: UnsafeRawBufferPointer, version: TLSVersion?) -> Verdict {
    var position = 0
    while recordLeft == 0, position < bytes.count {
      header.append(bytes[position])
      position += 1
      guard header.count == Self.recordHeaderBytes else { continue }
      recordLeft = Int(header[3]) << 8 | Int(header[4])
      if recordLeft == 0 { header = [] }
    }
    guard recordLeft > 0 else { return .pass(position) }
    let content = bytes[position...].prefix(recordLeft)
    if header[0] == Self.handshakeType, version != .v12 || !hasFirst {
      guard look(atMessages: content) else { return .refuse }
    }
    recordLeft -= content.count
    if recordLeft == 0 { header = [] }
    return .pass(position + content.count)
  }

  /// False where a message that begins is too long.
  private mutating func look(atMessages content: Slice<UnsafeRawBufferPointer>) -> Bool {
    var rest = content
    while let byte = rest.first {
      if messageLeft > 0 {
        let taken = min(messageLeft, rest.count)
        messageLeft -= taken
        rest = rest.dropFirst(taken)
        if messageLeft == 0 { hasFirst = true }
        continue
      }
      messageHeader.append(byte)
      rest = rest.dropFirst()
      guard messageHeader.count == Self.messageHeaderBytes else { continue }
      messageLeft = Int(messageHeader[1]) << 16 | Int(messageHeader[2]) << 8 | Int(messageHeader[3])
      let isHello = messageHeader[0] == Self.clientHelloType
      messageHeader = []
      if isHello, messageLeft > Self.maxMessageBytes { return false }
    }
    return true
  }
}
