import Crypto
import TestSupport
import Testing

@Suite struct TokenKeyErrorTests {
  @Test func `each error has its own sentence`() {
    let problems: [TokenKeyError.JWKProblem] = [.unsupportedType, .privateKey, .otherUse, .malformed, .weak]
    let errors =
      [.secretTooShort, .notPEM, .unsupportedKey, .weakRSA, .notP256, .notJWKS, .cannotSign, .signingFailed]
      + problems.map { TokenKeyError.jwk(index: 2, kid: nil, reason: $0) }
    expectEqual(Set(errors.map(\.sentence)).count, errors.count, "different")
    expectEqual(
      TokenKeyError.jwk(index: 2, kid: "main", reason: .privateKey).sentence, "Key 2 of the JWK set (kid \"main\") holds private parts.")
    expectEqual(TokenKeyError.jwk(index: 0, kid: nil, reason: .weak).sentence.hasPrefix("Key 0 of the JWK set must have 2048"), true)
  }
}
