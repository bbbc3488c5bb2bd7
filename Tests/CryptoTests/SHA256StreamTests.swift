import TestSupport
import Testing

@testable import Crypto

@Suite struct SHA256StreamTests {
  @Test func `pieces have the digest of the whole, once`() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for size in [1_000, 4_096, 100_000] {
      let stream = SHA256Stream()
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { stream.update($0) }
      }
      expectEqual(stream.finish(), SHA256.digest(bytes), "pieces of \(size)")
      expectEqual(stream.finish(), nil, "again")
      bytes.withUnsafeBytes { stream.update($0) }
    }
    expectEqual(SHA256Stream().finish(), SHA256.digest([]), "nothing")
  }
}
