import COpenSSL

/// A certificate with its chain, and its private key, both as the bytes of PEM files.
package struct TLSCredentials: Sendable, Equatable {
  /// The server's own certificate, then those that lead to a root.
  package let certificates: [UInt8]
  /// The key of the first certificate.
  package let key: [UInt8]

  /// Credentials as they are in two files, which may be the same one.
  package init(certificates: [UInt8], key: [UInt8]) {
    self.certificates = certificates
    self.key = key
  }

  /// The most certificates of a chain: each is sent with every full handshake.
  private static let maxCertificates = 16

  /// Gives the certificates and the key to a context; returns what is to be told of the first certificate.
  func install(in context: OpaquePointer) throws(CredentialProblem) -> CertificateSummary {
    // What is left in this thread's queue would be taken for an error of the next TLS call.
    defer { ERR_clear_error() }
    ERR_clear_error()
    let summary = try installCertificates(in: context)
    let key = try readKey()
    defer { EVP_PKEY_free(key) }
    guard SSL_CTX_use_PrivateKey(context, key) == 1, SSL_CTX_check_private_key(context) == 1 else { throw .mismatch }
    return summary
  }

  private func installCertificates(in context: OpaquePointer) throws(CredentialProblem) -> CertificateSummary {
    guard let bio = Self.reader(of: certificates) else { throw .noCertificate }
    defer { BIO_free(bio) }
    guard let first = try Self.nextCertificate(bio, number: 1) else { throw .noCertificate }
    defer { X509_free(first) }
    guard SSL_CTX_use_certificate(context, first) == 1 else { throw .refused(Self.lastReason()) }
    var number = 2
    while let next = try Self.nextCertificate(bio, number: number) {
      guard number <= Self.maxCertificates else {
        X509_free(next)
        throw .longChain(limit: Self.maxCertificates)
      }
      guard parley_SSL_CTX_add0_chain_cert(context, next) == 1 else {
        X509_free(next)
        throw .refused(Self.lastReason())
      }
      number += 1
    }
    return CertificateSummary(first)
  }

  private static func reader(of bytes: [UInt8]) -> OpaquePointer? {
    guard !bytes.isEmpty, let count = CInt(exactly: bytes.count), let bio = BIO_new(BIO_s_mem()) else { return nil }
    guard BIO_write(bio, bytes, count) == count else {
      BIO_free(bio)
      return nil
    }
    return bio
  }

  /// Nil at the end of the text.
  private static func nextCertificate(_ bio: OpaquePointer, number: Int) throws(CredentialProblem) -> OpaquePointer? {
    if let certificate = PEM_read_bio_X509(bio, nil, givesNoPassword, nil) { return certificate }
    guard parley_ERR_reason(ERR_peek_last_error()) == PEM_R_NO_START_LINE else { throw .badCertificate(number) }
    ERR_clear_error()
    return nil
  }

  private func readKey() throws(CredentialProblem) -> OpaquePointer {
    guard let bio = Self.reader(of: key) else { throw .badKey }
    defer { BIO_free(bio) }
    if let key = PEM_read_bio_PrivateKey(bio, nil, givesNoPassword, nil) { return key }
    throw String(decoding: key, as: UTF8.self).contains("ENCRYPTED") ? .encryptedKey : .badKey
  }

  private static func lastReason() -> String {
    ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) } ?? "for a reason that OpenSSL does not tell"
  }
}

/// OpenSSL would ask the terminal.
private func givesNoPassword(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: CInt, _ isWriting: CInt, _ data: UnsafeMutableRawPointer?
) -> CInt { -1 }
