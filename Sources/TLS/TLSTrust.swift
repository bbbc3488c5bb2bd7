import COpenSSL

/// Whose certificates a client believes.
package enum TLSTrust: Hashable, Sendable {
  /// Those that lead to one of the system's roots.
  case system
  /// Those that lead to one of these, in PEM.
  case authorities([UInt8])
}

extension TLSContext {
  /// The context of a client that looks at its server's certificate; `TLSSession.init(_:serverName:)` says whose it must be.
  package convenience init(clientTrusting trust: TLSTrust) throws(CredentialProblem) {
    try self.init(clientOffering: ["http/1.1"])
    defer { ERR_clear_error() }
    switch trust {
    case .system: guard SSL_CTX_set_default_verify_paths(pointer) == 1 else { throw .noMemory }
    case .authorities(let text): guard Self.add(text, to: SSL_CTX_get_cert_store(pointer)) else { throw .noCertificate }
    }
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
  }

  /// Adds all certificates of a PEM text; false where there is none.
  private static func add(_ text: [UInt8], to store: OpaquePointer?) -> Bool {
    guard let length = CInt(exactly: text.count), let bio = BIO_new_mem_buf(text, length) else { return false }
    defer { BIO_free(bio) }
    var count = 0
    while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
      defer { X509_free(certificate) }
      guard X509_STORE_add_cert(store, certificate) == 1 else { return false }
      count += 1
    }
    return count > 0
  }
}

extension TLSSession {
  /// A client's session with a server of a name or an address, which its certificate must have.
  package convenience init?(_ context: TLSContext, serverName: String) {
    self.init(context)
    guard !serverName.utf8.contains(0), SSL_set1_host(ssl, serverName) == 1 else { return nil }
    // RFC 6066 §3: no addresses.
    guard !serverName.utf8.contains(UInt8(ascii: ":")), serverName.utf8.last.map({ !(0x30...0x39).contains($0) }) ?? false else { return }
    serverName.withCString { name in
      _ = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, CLong(TLSEXT_NAMETYPE_host_name), UnsafeMutablePointer(mutating: name))
    }
  }
}
