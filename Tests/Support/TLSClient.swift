import COpenSSL
package import TLS

/// Whom a client of a test believes.
package enum TestTrust: Equatable, Sendable {
  /// Anybody.
  case anybody
  /// Certificates that lead to one of the system's roots.
  case system
  /// Certificates that lead to one of these, in PEM.
  case authorities([UInt8])
}

/// What a client keeps of a session to come back without a full handshake.
package final class TLSTicket {
  fileprivate let pointer: OpaquePointer

  /// Takes a reference over.
  fileprivate init(taking pointer: OpaquePointer) { self.pointer = pointer }

  deinit { SSL_SESSION_free(pointer) }

  /// Whether a server would take it; before TLS 1.3 has sent one it would not.
  package var isResumable: Bool { SSL_SESSION_is_resumable(pointer) == 1 }
}

extension TLSContext {
  /// A client's context.
  package static func client(
    trusting trust: TestTrust, protocols: [String] = ["http/1.1"], newest: TLSVersion = .v13
  ) throws -> TLSContext {
    let context = try TLSContext(clientOffering: protocols, newest: newest)
    defer { ERR_clear_error() }
    switch trust {
    case .anybody: return context
    case .system: guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else { throw TestCertificate.Failure() }
    case .authorities(let text):
      guard let bio = BIO_new_mem_buf(text, CInt(text.count)) else { throw TestCertificate.Failure() }
      defer { BIO_free(bio) }
      guard let certificate = PEM_read_bio_X509(bio, nil, nil, nil) else { throw TestCertificate.Failure() }
      defer { X509_free(certificate) }
      guard X509_STORE_add_cert(SSL_CTX_get_cert_store(context.pointer), certificate) == 1 else { throw TestCertificate.Failure() }
    }
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
    return context
  }
}

extension TLSSession {
  /// A client's session.
  ///
  /// - Parameters:
  ///   - context: What it shares with others.
  ///   - serverName: The name that is asked for (SNI), and that the certificate must have where it is looked at.
  ///   - ticket: What an earlier session of the same context left.
  package convenience init?(_ context: TLSContext, serverName: String?, resuming ticket: TLSTicket?) {
    self.init(context)
    if let serverName {
      serverName.withCString { name in
        _ = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, CLong(TLSEXT_NAMETYPE_host_name), UnsafeMutablePointer(mutating: name))
      }
      SSL_set1_host(ssl, serverName)
    }
    if let ticket { SSL_set_session(ssl, ticket.pointer) }
  }

  /// What the handshake agreed on by ALPN; nil where nothing was offered.
  package var applicationProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var length: CUnsignedInt = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
  }

  /// The serial number of the certificate that the peer showed.
  package var peerSerial: String? {
    guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
    defer { X509_free(certificate) }
    return CertificateSummary(certificate).serial
  }

  /// What a client may come back with, as far as the server has sent something; newest last.
  package var ticket: TLSTicket? { SSL_get1_session(ssl).map { TLSTicket(taking: $0) } }
}
