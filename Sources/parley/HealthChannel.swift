import Glibc
import TLS
import Transport

/// A connection for one question, over TLS where that is asked for; it waits for each step, and not for ever.
final class HealthChannel {
  /// How long a step may take, milliseconds.
  private static let timeoutMs: Int32 = 3_000

  private let descriptor: CInt
  private var session: TLSSession?

  /// Connects, and shakes hands.
  ///
  /// The certificate is not looked at: it names the host that clients use, which seldom is the address that is asked here, and nothing
  /// secret is said.
  init(to address: SocketAddress, isSecure: Bool) throws(SocketError) {
    descriptor = try Socket.connect(to: address)
    // Where one of these throws, everything is initialised and `deinit` closes the descriptor.
    try wait(for: POLLOUT, in: .connect)
    if let error = Socket.pendingError(descriptor) { throw error }
    if isSecure { try shakeHands() }
  }

  deinit { Socket.close(descriptor) }

  private func shakeHands() throws(SocketError) {
    guard let context = Self.context(), let session = TLSSession(context) else { throw SocketError(.connect, code: ENOMEM) }
    self.session = session
    _ = try decrypt([], session)
    while !session.isEstablished { _ = try decrypt(receivePlain(), session) }
  }

  private static func context() -> TLSContext? {
    do throws(CredentialProblem) { return try TLSContext(clientOffering: ["http/1.1"]) } catch { return nil }
  }

  /// Sends bytes, at most a record.
  func send(_ bytes: [UInt8]) throws(SocketError) {
    guard let session else { return try sendPlain(bytes) }
    var output = [UInt8](repeating: 0, count: TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead)
    let progress = bytes.withUnsafeBytes { bytes in output.withUnsafeMutableBytes { session.send(bytes, output: $0) } }
    try sendPlain(Array(output[..<progress.output]))
  }

  /// Waits for bytes; there may be none of them yet, as a part of a record came.
  func receive() throws(SocketError) -> [UInt8] {
    let bytes = try receivePlain()
    guard let session else { return bytes }
    return try decrypt(bytes, session)
  }

  private func decrypt(_ bytes: [UInt8], _ session: TLSSession) throws(SocketError) -> [UInt8] {
    var plaintext: [UInt8] = []
    var rest = bytes[...]
    while true {
      var place = [UInt8](repeating: 0, count: TLSSession.maxRecordBytes)
      var output = [UInt8](repeating: 0, count: TLSSession.maxRecordBytes)
      let progress = rest.withUnsafeBytes { rest in
        place.withUnsafeMutableBytes { place in output.withUnsafeMutableBytes { session.receive(rest, into: place, output: $0) } }
      }
      rest = rest.dropFirst(progress.consumed)
      plaintext += place[..<progress.plaintext]
      try sendPlain(Array(output[..<progress.output]))
      switch progress.state {
      case .needsInput, .ended: return plaintext
      case .outputFull, .plaintextFull: continue
      case .failed: throw SocketError(.receive, code: EPROTO)
      }
    }
  }

  private func sendPlain(_ bytes: [UInt8]) throws(SocketError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch rest.withUnsafeBytes({ Socket.send(descriptor, $0) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: try wait(for: POLLOUT, in: .send)
      case .endOfStream: return
      case .failed(let error): throw error
      }
    }
  }

  private func receivePlain() throws(SocketError) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      try wait(for: POLLIN, in: .receive)
      switch piece.withUnsafeMutableBytes({ Socket.receive(descriptor, into: $0) }) {
      case .bytes(let count): return Array(piece[..<count])
      case .wouldBlock: continue
      case .endOfStream: throw SocketError(.receive, code: ECONNRESET)
      case .failed(let error): throw error
      }
    }
  }

  private func wait(for events: Int32, in operation: SocketError.Operation) throws(SocketError) {
    var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    guard Glibc.poll(&poll, 1, Self.timeoutMs) == 1 else { throw SocketError(operation, code: ETIMEDOUT) }
  }
}
