import COpenSSL

/// The SHA-256 digest (FIPS 180-4).
package enum SHA256 {
  /// The 32 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      _ = COpenSSL.SHA256(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}
