import COpenSSL

/// The SHA-256 digest of bytes that come one after the other.
package final class SHA256Stream {
  private let context: OpaquePointer?
  private var isBroken: Bool

  /// Begins with no bytes.
  package init() {
    context = EVP_MD_CTX_new()
    isBroken = context == nil || EVP_DigestInit_ex(context, EVP_sha256(), nil) != 1
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard !isBroken, bytes.count > 0 else { return }
    isBroken = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1
  }

  /// The 32 bytes of the digest, once; nil where there was no memory for it, or it was asked for before.
  package func finish() -> [UInt8]? {
    guard !isBroken else { return nil }
    isBroken = true
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    var count: UInt32 = 0
    return EVP_DigestFinal_ex(context, &digest, &count) == 1 && Int(count) == digest.count ? digest : nil
  }
}
