import COpenSSL

extension TokenKey {
  /// Reads a public key in PEM (SPKI, "BEGIN PUBLIC KEY"): RSA of 2048 to 8192 bits is RS256, EC on P-256 is ES256.
  package static func pem(_ text: String, kid: String? = nil) throws(TokenKeyError) -> TokenKey {
    defer { ERR_clear_error() }
    guard let key = publicKey(text) else { throw .notPEM }
    defer { EVP_PKEY_free(key) }
    if EVP_PKEY_is_a(key, "RSA") == 1 {
      guard let n = number(key, OSSL_PKEY_PARAM_RSA_N), let e = number(key, OSSL_PKEY_PARAM_RSA_E) else { throw .weakRSA }
      guard let made = rsa(modulus: n, exponent: e, kid: kid) else { throw .weakRSA }
      return made
    }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { throw .unsupportedKey }
    guard group(of: key) == "prime256v1" else { throw .notP256 }
    guard let x = number(key, OSSL_PKEY_PARAM_EC_PUB_X, size: 32), let y = number(key, OSSL_PKEY_PARAM_EC_PUB_Y, size: 32) else {
      throw .notP256
    }
    guard let made = ec(x: x, y: y, kid: kid) else { throw .notP256 }
    return made
  }

  private static func publicKey(_ text: String) -> OpaquePointer? {
    var text = text
    // The buffer of OpenSSL does not copy: the bytes must live as long as it does.
    return text.withUTF8 { bytes in
      guard let length = CInt(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, length) else { return nil }
      defer { BIO_free(bio) }
      return PEM_read_bio_PUBKEY(bio, nil, refusePassword, nil)
    }
  }

  private static func number(_ key: OpaquePointer, _ name: String, size: Int? = nil) -> [UInt8]? {
    var value: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &value) == 1, let value else { return nil }
    defer { BN_free(value) }
    var bytes = [UInt8](repeating: 0, count: size ?? (Int(BN_num_bits(value)) + 7) / 8)
    guard BN_bn2binpad(value, &bytes, CInt(bytes.count)) >= 0 else { return nil }
    return bytes
  }

  private static func group(of key: OpaquePointer) -> String? {
    var name = [CChar](repeating: 0, count: 80)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
    return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Without this OpenSSL would ask for a password on the terminal when a file is encrypted.
private nonisolated func refusePassword(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: CInt, _ writing: CInt, _ context: UnsafeMutableRawPointer?
) -> CInt {
  -1
}
