import TLS
import Transport
import WebSocketProtocol

/// TLS between one socket and its connection.
///
/// Ciphertext exists only on its way: what came is decrypted in the same call, and a record is made only when the one before is with the
/// kernel, so that snapshots which wait can still be replaced. An idle connection holds no buffer here.
final class SecureTransport {
  /// What one receive brought.
  struct Received: Equatable {
    /// Bytes taken from the socket.
    var ciphertext = 0
    /// Bytes put into the target.
    var plaintext = 0
    var sequel: Sequel
  }

  /// What follows, after the plaintext was taken care of.
  enum Sequel: Equatable {
    /// Nothing, until the socket is ready again.
    case more
    /// The peer has said that it sends no more (`close_notify`).
    case goodbye
    /// The peer sends no more: the socket has ended.
    case ended
    /// The socket is broken, or there is no memory.
    case broken
    /// The peer asks for answers and does not read them.
    case unread
    /// The first bytes are a plain HTTP request.
    case plainHTTP
    /// The first bytes are no TLS.
    case notTLS
    /// TLS cannot go on; its alert is sent.
    case failed(TLSFailure)
  }

  private let descriptor: CInt
  private let workspace: TLSWorkspace
  /// Made of the first bytes: who says nothing costs nothing.
  private var session: TLSSession?
  /// Ciphertext that the socket did not take: at most a record and what the protocol itself sends.
  private var unsent = UnsentBytes()
  private var hasClosed = false
  /// Bytes given to the socket since the last `takeSentCount`.
  private var sentCount = 0

  init(descriptor: CInt, workspace: TLSWorkspace) {
    self.descriptor = descriptor
    self.workspace = workspace
  }

  /// Whether the handshake is done.
  var isEstablished: Bool { session?.isEstablished ?? false }

  /// Whether bytes of a handshake came.
  var hasBegun: Bool { session != nil }

  /// Whether the handshake took up an earlier session.
  var isResumed: Bool { session?.isResumed ?? false }

  /// The version that is spoken.
  var version: TLSVersion? { session?.version }

  /// Bytes of ciphertext that wait for the socket.
  var unsentCount: Int { unsent.count }

  /// The most bytes of alerts, key updates and handshake that may wait for a peer that does not read.
  private static let mostUnsent = 65_536

  /// How many bytes were sent since the last time.
  func takeSentCount() -> Int {
    defer { sentCount = 0 }
    return sentCount
  }

  // MARK: - Receiving

  /// The room that a record takes whose beginning came before: more plaintext than there is ciphertext now.
  static let recordRoom = TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead

  /// Receives from the socket and decrypts.
  ///
  /// - Parameter target: Where plaintext goes, larger than `recordRoom`: only so much is received that it has room for all of it.
  func receive(into target: UnsafeMutableRawBufferPointer) -> Received {
    let most = max(0, min(workspace.input.count, target.count - Self.recordRoom))
    switch Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: workspace.input[..<most])) {
    case .bytes(let count):
      var received = take(UnsafeRawBufferPointer(rebasing: workspace.input[..<count]), into: target)
      received.ciphertext = count
      return received
    case .wouldBlock: return Received(sequel: .more)
    case .endOfStream: return Received(sequel: .ended)
    case .failed: return Received(sequel: .broken)
    }
  }

  /// Decrypts bytes that were received already.
  func take(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Received {
    if session == nil, let first = bytes.first {
      switch first {
      // The type of a handshake's record (RFC 8446 §5.1).
      case 0x16: session = TLSSession(workspace.source())
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): return Received(sequel: .plainHTTP)
      default: return Received(sequel: .notTLS)
      }
    }
    guard let session else { return Received(sequel: .broken) }
    var received = Received(sequel: .more)
    var rest = bytes
    while true {
      let place = UnsafeMutableRawBufferPointer(rebasing: target[received.plaintext...])
      let progress = session.receive(rest, into: place, output: workspace.output)
      rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
      received.plaintext += progress.plaintext
      guard send(UnsafeRawBufferPointer(rebasing: workspace.output[..<progress.output])) else {
        received.sequel = .broken
        return received
      }
      switch progress.state {
      case .outputFull where unsentCount <= Self.mostUnsent: continue
      case .outputFull: received.sequel = .unread
      // There is room for all that comes out.
      case .plaintextFull: received.sequel = .broken
      case .needsInput: received.sequel = unsentCount <= Self.mostUnsent ? .more : .unread
      case .ended: received.sequel = .goodbye
      case .failed(let failure): received.sequel = .failed(failure)
      }
      return received
    }
  }

  // MARK: - Sending

  /// What came of writing.
  enum Progress: Equatable {
    case written
    case blocked
    case broken
  }

  /// Encrypts and sends as much of a queue as the socket takes, and never a record more than that.
  ///
  /// - Parameters:
  ///   - queue: What is to be sent.
  ///   - isLast: Whether nothing follows: then that is said behind it.
  func write(_ queue: inout OutboundQueue, isLast: Bool) -> Progress {
    while true {
      switch sendUnsent() {
      case .written: break
      case .blocked: return .blocked
      case .broken: return .broken
      }
      if queue.isEmpty {
        guard isLast, !hasClosed else { return .written }
        guard close() else { return .broken }
      } else {
        guard let session else { return .broken }
        let progress = encrypt(queue, session)
        guard progress.consumed > 0 else { return .broken }
        queue.consume(progress.consumed)
        guard send(UnsafeRawBufferPointer(rebasing: workspace.output[..<progress.output])) else { return .broken }
      }
    }
  }

  /// Says that nothing follows, as far as the socket takes that at once; for a socket that is closed next.
  func sayGoodbye() {
    guard unsentCount == 0, !hasClosed else { return }
    _ = close()
  }

  private func close() -> Bool {
    hasClosed = true
    guard let session else { return true }
    let count = session.close(output: workspace.output)
    return send(UnsafeRawBufferPointer(rebasing: workspace.output[..<count]))
  }

  /// Makes one record of the first bytes of a queue.
  private func encrypt(_ queue: OutboundQueue, _ session: TLSSession) -> TLSProgress {
    withUnsafeTemporaryAllocation(of: OutboundVector.self, capacity: Self.maxPieces) { vectors in
      var progress = TLSProgress()
      _ = queue.withVectors(vectors) { count in
        progress = session.send(piece(of: vectors[..<count]), output: workspace.output)
        return count
      }
      return progress
    }
  }

  /// Pieces of one record: a turn seldom leaves more small ones.
  private static let maxPieces = 64

  /// The first bytes of a queue in one piece: as they are where they fill a record, else gathered.
  private func piece(of vectors: Slice<UnsafeMutableBufferPointer<OutboundVector>>) -> UnsafeRawBufferPointer {
    if let first = vectors.first, vectors.count == 1 || first.count >= TLSSession.maxRecordBytes {
      return UnsafeRawBufferPointer(start: first.base, count: min(first.count, TLSSession.maxRecordBytes))
    }
    var count = 0
    for vector in vectors where count < workspace.record.count {
      let taken = min(vector.count, workspace.record.count - count)
      UnsafeMutableRawBufferPointer(rebasing: workspace.record[count...])
        .copyMemory(from: UnsafeRawBufferPointer(start: vector.base, count: taken))
      count += taken
    }
    return UnsafeRawBufferPointer(rebasing: workspace.record[..<count])
  }

  private func sendUnsent() -> Progress {
    while unsent.count > 0 {
      switch unsent.withUnsafeBytes({ Socket.send(descriptor, $0) }) {
      case .bytes(let count):
        sentCount += count
        unsent.sent(count)
      case .wouldBlock: return .blocked
      case .endOfStream, .failed: return .broken
      }
    }
    return .written
  }

  /// Sends ciphertext, behind what waits, and keeps what the socket does not take; false where the socket is broken.
  private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while unsent.count == 0, !rest.isEmpty {
      switch Socket.send(descriptor, rest) {
      case .bytes(let count):
        sentCount += count
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      case .wouldBlock:
        unsent.append(rest)
        return true
      case .endOfStream, .failed: return false
      }
    }
    unsent.append(rest)
    return true
  }
}
