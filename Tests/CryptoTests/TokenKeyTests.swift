import Crypto
import TestSupport
import Testing

@Suite struct TokenKeyTests {
  @Test func `a secret signs the token that others sign`() throws {
    #expect(throws: TokenKeyError.secretTooShort) { try TokenKey.secret([UInt8](repeating: 1, count: 31)) }
    let key = try TokenKey.secret(Array("an example secret of 32 bytes ok".utf8))
    expectEqual(key.algorithm, .hs256)
    // Made with Python's hmac module over the same header and claims.
    let token = try key.sign(claims: Array(#"{"sub":"anna"}"#.utf8))
    expectEqual(token, Self.expected)
    let named = try TokenKey.secret(Array("an example secret of 32 bytes ok".utf8), kid: "k1").sign(claims: Array("{}".utf8))
    let header = try #require(Base64URL.decode(named.utf8.prefix { $0 != 0x2E }))
    expect(String(decoding: header, as: UTF8.self).contains(#""kid":"k1""#), "the kid is in the header")
  }

  @Test func `a public key does not sign`() throws {
    let key = try TokenKey.pem(TokenFixtures.ecPEM)
    #expect(throws: TokenKeyError.cannotSign) { try key.sign(claims: Array("{}".utf8)) }
  }

  private static let expected =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm5hIn0.O9bhKKQ7QY2ZaddEA1TuVfqmDxFc39NUDL7QfDwcN3c"
}
