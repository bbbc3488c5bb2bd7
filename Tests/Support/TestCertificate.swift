import COpenSSL

/// A certificate that signs itself, made for one test, with its key.
package struct TestCertificate: Sendable {
  /// The certificate in PEM.
  package let pem: [UInt8]
  /// Its key in PEM.
  package let keyPEM: [UInt8]
  /// Its key in PEM under a password.
  package let encryptedKeyPEM: [UInt8]
  /// When it ends, seconds from its making.
  package static let lifetime = 86_400

  package struct Failure: Error {}

  /// What key it has.
  package enum Key: Sendable {
    case p256
    case rsa(bits: Int32)
  }

  /// Makes a certificate of `parley.example`.
  package init(serial: Int, key kind: Key = .p256) throws {
    let key = try Self.key(kind)
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { throw Failure() }
    defer { X509_free(certificate) }
    let name = X509_get_subject_name(certificate)
    guard X509_set_version(certificate, 2) == 1, ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), -60) != nil,
      X509_gmtime_adj(X509_getm_notAfter(certificate), Self.lifetime) != nil,
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "parley.example", -1, -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1, X509_set_pubkey(certificate, key) == 1, X509_sign(certificate, key, EVP_sha256()) > 0
    else { throw Failure() }
    pem = try Self.text { PEM_write_bio_X509($0, certificate) }
    keyPEM = try Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    encryptedKeyPEM = try Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, EVP_aes_256_cbc(), "secret", 6, nil, nil) }
  }

  private static func key(_ kind: Key) throws -> OpaquePointer {
    let type =
      switch kind {
      case .p256: EVP_PKEY_EC
      case .rsa: EVP_PKEY_RSA
      }
    guard let context = EVP_PKEY_CTX_new_id(type, nil) else { throw Failure() }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure() }
    let isSet =
      switch kind {
      case .p256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
      case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
      }
    var key: OpaquePointer?
    guard isSet == 1, EVP_PKEY_keygen(context, &key) == 1, let key else { throw Failure() }
    return key
  }

  private static func text(_ write: (OpaquePointer) -> CInt) throws -> [UInt8] {
    guard let bio = BIO_new(BIO_s_mem()) else { throw Failure() }
    defer { BIO_free(bio) }
    guard write(bio) == 1 else { throw Failure() }
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
    guard BIO_read(bio, &bytes, CInt(bytes.count)) == CInt(bytes.count) else { throw Failure() }
    return bytes
  }
}
