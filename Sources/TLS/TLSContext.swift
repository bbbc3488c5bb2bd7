import COpenSSL

/// What the sessions of one certificate, or of one kind of client, share.
// `@unchecked Sendable` holds: `pointer` never changes, the SSL_CTX behind it is configured in the initialisers alone, and making sessions of it
// from several threads is what OpenSSL locks and counts for (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
  /// The `SSL_CTX`.
  package let pointer: OpaquePointer
  /// Whether its sessions are servers.
  let isServer: Bool
  /// What a server shows; nil for a client.
  package let certificate: CertificateSummary?
  /// Kept because the SSL_CTX refers to them.
  private let tickets: TicketKeys?

  /// A server's context: TLS 1.2 and 1.3, ciphers with forward secrecy alone, HTTP/1.1 where the client asks by ALPN.
  package init(serving credentials: TLSCredentials, tickets: TicketKeys) throws(CredentialProblem) {
    pointer = try Self.make(TLS_server_method())
    isServer = true
    self.tickets = tickets
    do throws(CredentialProblem) {
      parley_SSL_CTX_set_server_options(pointer)
      SSL_CTX_set_alpn_select_cb(pointer, chooseProtocol, nil)
      guard tickets.install(in: pointer), SSL_CTX_set_num_tickets(pointer, 1) == 1,
        SSL_CTX_set_session_id_context(pointer, "parley", 6) == 1
      else { throw CredentialProblem.noMemory }
      SSL_CTX_set_timeout(pointer, CLong(TicketKeys.lifetime))
      certificate = try credentials.install(in: pointer)
    } catch {
      // `certificate` is not initialised yet, so there is no `deinit`.
      SSL_CTX_free(pointer)
      throw error
    }
  }

  /// The context of a client that believes anybody: for who asks this machine, or looks at a server's certificate.
  ///
  /// - Parameters:
  ///   - protocols: What is offered by ALPN, most wanted first.
  ///   - newest: The newest version that is spoken.
  package init(clientOffering protocols: [String], newest: TLSVersion = .v13) throws(CredentialProblem) {
    pointer = try Self.make(TLS_client_method())
    isServer = false
    tickets = nil
    certificate = nil
    let list = ProtocolList.bytes(of: protocols)
    // Where this throws, everything is initialised and `deinit` frees the context.
    guard parley_SSL_CTX_set_max_proto_version(pointer, newest.rawValue) == 1,
      list.isEmpty || SSL_CTX_set_alpn_protos(pointer, list, CUnsignedInt(truncatingIfNeeded: list.count)) == 0
    else { throw .noMemory }
  }

  deinit { SSL_CTX_free(pointer) }

  private static func make(_ method: OpaquePointer?) throws(CredentialProblem) -> OpaquePointer {
    guard let context = SSL_CTX_new(method) else {
      ERR_clear_error()
      throw .noMemory
    }
    // An idle session holds no record buffers.
    _ = parley_SSL_CTX_set_mode(context, CLong(SSL_MODE_RELEASE_BUFFERS))
    // After a message of its own it says so instead of reading on, so that nobody keeps it busy with such messages.
    _ = parley_SSL_CTX_clear_mode(context, CLong(SSL_MODE_AUTO_RETRY))
    // Sessions live in their tickets.
    parley_SSL_CTX_disable_session_cache(context)
    SSL_CTX_set_security_level(context, 2)
    guard parley_SSL_CTX_set_min_proto_version(context, TLSVersion.v12.rawValue) == 1,
      // RFC 9325 §4.2: forward secrecy and authenticated encryption alone. The ciphers of TLS 1.3 are all of that kind.
      SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1,
      parley_SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1
    else {
      SSL_CTX_free(context)
      ERR_clear_error()
      throw .noMemory
    }
    return context
  }
}

/// Takes HTTP/1.1 from the client's list, or ends the handshake: a client that offers `h2` alone would speak what nobody here understands.
private func chooseProtocol(
  _ session: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
  _ offered: UnsafePointer<UInt8>?, _ count: CUnsignedInt, _ data: UnsafeMutableRawPointer?
) -> CInt {
  guard let offered, let chosen, let length,
    let range = ProtocolList.range(of: ProtocolList.http11, in: UnsafeBufferPointer(start: offered, count: Int(count)))
  else { return SSL_TLSEXT_ERR_ALERT_FATAL }
  chosen.pointee = offered + range.lowerBound
  length.pointee = UInt8(truncatingIfNeeded: range.count)
  return SSL_TLSEXT_ERR_OK
}
