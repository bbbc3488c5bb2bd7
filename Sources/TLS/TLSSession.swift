import COpenSSL

/// One connection's TLS, without a socket: bytes in, bytes out.
///
/// Whatever a peer sends leads to a state and never to a trap. A session belongs to one thread at a time (it is not `Sendable`), is freed once,
/// by `deinit`, and between two calls it holds no buffer but that of a record that came in part.
package final class TLSSession {
  /// The most plaintext in a record (RFC 8446 §5.1).
  package static let maxRecordBytes = 16_384
  /// The most that a record is longer on the wire than its plaintext (RFC 5246 §6.2.3, which allows more than RFC 8446 §5.2).
  package static let maxRecordOverhead = 2_048 + 5

  /// How many bytes of data pay for one message of the protocol itself: some tens of microseconds, as much as for a KiB of data and its use.
  private static let messagePrice = 1_024
  /// The most such messages that are not paid for, those of the handshake among them: nobody changes keys without having used them.
  private static let maxUnpaidMessages = 32

  private let context: TLSContext
  /// The `SSL`.
  package let ssl: OpaquePointer
  let lent: UnsafeMutablePointer<LentBytes>
  /// Looks at what a client says before the handshake is done; nil from then on, and for a client.
  private var hello: HelloGuard?
  /// Bytes that were looked at and not used yet, because the output had no room.
  private var passed = 0
  /// What messages of the protocol itself cost, less what data paid, in bytes of data.
  private var debt = 0
  /// Set once: OpenSSL forbids to go on after a fatal error.
  private var failure: TLSFailure?

  /// A session in the role of its context, which it shares with others; nil where there is no memory.
  package init?(_ context: TLSContext) {
    let lent = UnsafeMutablePointer<LentBytes>.allocate(capacity: 1)
    lent.initialize(to: LentBytes())
    guard let ssl = Self.make(context, over: lent) else {
      ERR_clear_error()
      lent.deallocate()
      return nil
    }
    self.context = context
    self.ssl = ssl
    self.lent = lent
    hello = context.isServer ? HelloGuard() : nil
    if context.isServer { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
  }

  deinit {
    // Else a client whose connection broke could not come back with its ticket: OpenSSL takes an end without `close_notify` for an attack.
    SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    // Frees the BIO too.
    SSL_free(ssl)
    lent.deinitialize(count: 1)
    lent.deallocate()
  }

  private static func make(_ context: TLSContext, over lent: UnsafeMutablePointer<LentBytes>) -> OpaquePointer? {
    guard let ssl = SSL_new(context.pointer) else { return nil }
    guard let bio = LentBIO.make(over: lent) else {
      SSL_free(ssl)
      return nil
    }
    // One BIO for both directions; the call takes its one reference over.
    SSL_set_bio(ssl, bio, bio)
    SSL_set_msg_callback(ssl, countMessage)
    parley_SSL_set_msg_callback_arg(ssl, lent)
    return ssl
  }

  // MARK: - What is true now

  /// Whether the handshake is done.
  package var isEstablished: Bool { failure == nil && SSL_is_init_finished(ssl) == 1 }

  /// Whether the handshake took up an earlier session.
  package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

  /// The version that is spoken; nil before that is decided.
  package var version: TLSVersion? { TLSVersion(rawValue: SSL_version(ssl)) }

  // MARK: - Bytes

  /// Takes what came from the peer, goes on with the handshake, and decrypts.
  ///
  /// A client calls it without input to begin. Whatever is to be sent, alerts too, is in the output, also where the state is a failure.
  ///
  /// - Parameters:
  ///   - ciphertext: What came, with no gap to what came before.
  ///   - plaintext: Where the peer's bytes are put, at least one byte.
  ///   - output: Where bytes for the peer are put.
  package func receive(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer, output: UnsafeMutableRawBufferPointer
  ) -> TLSProgress {
    var done = TLSProgress()
    while failure == nil {
      let rest = UnsafeRawBufferPointer(rebasing: ciphertext[done.consumed...])
      guard let count = look(at: rest) else {
        done.state = fail(.hugeHello)
        return done
      }
      let step = decrypt(
        UnsafeRawBufferPointer(rebasing: rest[..<count]), into: UnsafeMutableRawBufferPointer(rebasing: plaintext[done.plaintext...]),
        output: UnsafeMutableRawBufferPointer(rebasing: output[done.output...]))
      passed -= min(passed, step.consumed)
      if isEstablished { hello = nil }
      done.consumed += step.consumed
      done.plaintext += step.plaintext
      done.output += step.output
      done.state = step.state
      guard step.state == .needsInput, done.consumed < ciphertext.count else { return done }
    }
    done.state = failure.map { .failed($0) } ?? done.state
    return done
  }

  /// How many bytes may be given to OpenSSL now; nil where the client's hello is too long.
  ///
  /// A record at a time while the client says hello: what is looked for depends on what OpenSSL made of the record before.
  private func look(at bytes: UnsafeRawBufferPointer) -> Int? {
    guard hello != nil else { return bytes.count }
    if passed == 0 {
      switch hello?.look(at: bytes, version: version) {
      case .pass(let count): passed = count
      case .refuse: return nil
      case nil: break
      }
    }
    return min(passed, bytes.count)
  }

  private func decrypt(
    _ ciphertext: UnsafeRawBufferPointer, into plaintext: UnsafeMutableRawBufferPointer, output: UnsafeMutableRawBufferPointer
  ) -> TLSProgress {
    calling(ciphertext, output) { progress in
      while progress.plaintext < plaintext.count {
        var count = 0
        let free = UnsafeMutableRawBufferPointer(rebasing: plaintext[progress.plaintext...])
        let before = lent.pointee.messages
        ERR_clear_error()
        let code = SSL_read_ex(ssl, free.baseAddress, free.count, &count)
        let messages = lent.pointee.messages - before
        debt = max(0, debt + messages * Self.messagePrice - count)
        progress.plaintext += count
        guard code != 1 else { continue }
        let state = state(after: code)
        // It stops behind each message of its own, and where there is no more input.
        guard state == .needsInput, messages > 0 else { return state }
        guard debt <= Self.maxUnpaidMessages * Self.messagePrice else { return fail(.flooded) }
      }
      return .plaintextFull
    }
  }

  /// Encrypts bytes into one record.
  ///
  /// - Parameters:
  ///   - plaintext: At most `maxRecordBytes`; of more the first part is taken.
  ///   - output: Has to have room for a record, `maxRecordBytes + maxRecordOverhead`; with less nothing is taken.
  package func send(_ plaintext: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer) -> TLSProgress {
    let piece = UnsafeRawBufferPointer(rebasing: plaintext.prefix(Self.maxRecordBytes))
    guard !piece.isEmpty, output.count >= piece.count + Self.maxRecordOverhead, isEstablished else {
      var progress = TLSProgress()
      if let failure { progress.state = .failed(failure) }
      return progress
    }
    var taken = 0
    var progress = calling(UnsafeRawBufferPointer(start: nil, count: 0), output) { _ in
      ERR_clear_error()
      let code = SSL_write_ex(ssl, piece.baseAddress, piece.count, &taken)
      return code == 1 ? .needsInput : state(after: code)
    }
    progress.consumed = taken
    return progress
  }

  /// Says that nothing more comes (`close_notify`, RFC 8446 §6.1); nothing is said of a session that is not established.
  ///
  /// - Returns: How much of the output is filled.
  package func close(output: UnsafeMutableRawBufferPointer) -> Int {
    guard isEstablished, SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN == 0 else { return 0 }
    return calling(UnsafeRawBufferPointer(start: nil, count: 0), output) { _ in
      ERR_clear_error()
      SSL_shutdown(ssl)
      ERR_clear_error()
      return .needsInput
    }.output
  }

  private func calling(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ body: (inout TLSProgress) -> TLSProgress.State
  ) -> TLSProgress {
    var progress = TLSProgress()
    if let failure {
      progress.state = .failed(failure)
      return progress
    }
    lent.pointee.lend(input, output)
    progress.state = body(&progress)
    progress.consumed = lent.pointee.consumed
    progress.output = lent.pointee.produced
    lent.pointee.takeBack()
    return progress
  }

  private func fail(_ failure: TLSFailure) -> TLSProgress.State {
    self.failure = failure
    return .failed(failure)
  }

  private func state(after code: CInt) -> TLSProgress.State {
    switch SSL_get_error(ssl, code) {
    case SSL_ERROR_WANT_READ: return .needsInput
    case SSL_ERROR_WANT_WRITE: return .outputFull
    case SSL_ERROR_ZERO_RETURN: return .ended
    default:
      return fail(.takeLast())
    }
  }
}

/// Counts what the peer says to OpenSSL itself.
private func countMessage(
  _ isSent: CInt, _ version: CInt, _ type: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ session: OpaquePointer?,
  _ lent: UnsafeMutableRawPointer?
) {
  guard isSent == 0, type == SSL3_RT_HANDSHAKE || type == SSL3_RT_ALERT else { return }
  lent?.assumingMemoryBound(to: LentBytes.self).pointee.countMessage()
}
