@testable import Crypto
import TestSupport
import Testing

@Suite struct SecureRandomTests {
  @Test func `random values have their length and differ`() {
    for count in [-1, 0, 1, 16, 1000] { expectEqual(SecureRandom.bytes(count).count, max(0, count), "\(count)") }
    expectEqual(Set((0..<100).map { _ in SecureRandom.bytes(16) }).count, 100, "bytes")
    expectEqual(Set((0..<100).map { _ in SecureRandom.uint64() }).count, 100, "numbers")
    expectEqual(Set((0..<100).map { _ in SecureRandom.token() }).count, 100, "tokens")
    expect((0..<100).contains { _ in SecureRandom.uint64() > UInt64(UInt32.max) }, "all 64 bits are used")
    expectEqual(Set((0..<100).map { _ in SecureRandom.bytes(16) { _ in false } }).count, 100, "from a source that fails")
    expectEqual(SecureRandom.token().utf8.count, 22)
    expectEqual(SecureRandom.token(32).utf8.count, 43)
  }
}
