import COpenSSL

/// Random bytes that cannot be guessed.
package enum SecureRandom {
  /// That many random bytes; none for a count below one.
  package static func bytes(_ count: Int) -> [UInt8] {
    bytes(count, filledBy: fillFromOpenSSL)
  }

  /// The same from a source that may fail; then the kernel gives the bytes, which are as good and only slower to get.
  static func bytes(_ count: Int, filledBy fill: (inout [UInt8]) -> Bool) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    if fill(&bytes) { return bytes }
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices { bytes[index] = generator.next() }
    return bytes
  }

  private static func fillFromOpenSSL(_ bytes: inout [UInt8]) -> Bool {
    guard let count = CInt(exactly: bytes.count) else { return false }
    defer { ERR_clear_error() }
    return RAND_bytes(&bytes, count) == 1
  }

  /// A random number of 64 bits.
  package static func uint64() -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// That many random bytes as base64url text: 16 bytes make 22 characters.
  package static func token(_ count: Int = 16) -> String {
    Base64URL.encode(bytes(count))
  }
}
