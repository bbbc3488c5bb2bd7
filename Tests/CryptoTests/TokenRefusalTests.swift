import Crypto
import TestSupport
import Testing

@Suite struct TokenRefusalTests {
  @Test func `each refusal has its own sentence`() {
    expectEqual(Set(TokenRefusal.allCases.map(\.sentence)).count, TokenRefusal.allCases.count, "different")
    for refusal in TokenRefusal.allCases { expect(refusal.sentence.hasSuffix("."), refusal.sentence) }
  }
}
