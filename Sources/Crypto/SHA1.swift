import COpenSSL

/// The SHA-1 digest, for the handshake of WebSocket alone (RFC 6455 §4.2.2); it protects nothing there.
package enum SHA1 {
  /// The 20 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA_DIGEST_LENGTH)) { buffer, count in
      _ = COpenSSL.SHA1(bytes, bytes.count, buffer.baseAddress)
      count = Int(SHA_DIGEST_LENGTH)
    }
  }
}
