import Crypto
import TestSupport
import Testing

@Suite struct TokenKeyJWKSTests {
  private static let rsa = #""kty":"RSA","n":"\#(TokenFixtures.modulus)","e":"AQAB""#
  private static let ec = #""kty":"EC","crv":"P-256","x":"\#(TokenFixtures.x)","y":"\#(TokenFixtures.y)""#

  @Test func `public keys of both types are read and verify`() throws {
    let text = #"{"keys":[{\#(Self.rsa),"kid":"r","alg":"RS256","use":"sig"},{\#(Self.ec),"kid":"e","alg":"ES256"},{\#(Self.ec)}],"x":1}"#
    let keys = try TokenKey.jwks(text)
    expectEqual(keys.map(\.algorithm), [.rs256, .es256, .es256])
    expectEqual(keys.map(\.kid), ["r", "e", nil])
    let verifier = TokenVerifier(keys: keys, guestKey: nil, policy: TokenPolicy())
    for token in [TokenFixtures.rs256, TokenFixtures.rs256Named, TokenFixtures.es256, TokenFixtures.es256Named] {
      expectEqual(try verifier.verify(token, now: 1_800_000_000).user, "anna", token)
    }
  }

  @Test func `a set with any other key is refused and names it`() {
    let cases: [(key: String, kid: String?, reason: TokenKeyError.JWKProblem)] = [
      (#""kty":"oct","k":"AAAA","kid":"o""#, "o", .privateKey), (Self.rsa + #","d":"AA""#, nil, .privateKey),
      (Self.ec + #","d":"AA""#, nil, .privateKey),
      (#""kty":"OKP","crv":"Ed25519","x":"AA""#, nil, .unsupportedType), (#""kty":"oct""#, nil, .unsupportedType),
      (Self.ec.replacing("P-256", with: "P-384"), nil, .unsupportedType),
      (Self.ec.replacing(#""crv":"P-256","#, with: ""), nil, .unsupportedType),
      (Self.rsa + #","use":"enc""#, nil, .otherUse), (Self.rsa + #","alg":"RS512""#, nil, .otherUse),
      (Self.ec + #","alg":"RS256""#, nil, .otherUse),
      (Self.rsa + #","alg":"HS256""#, nil, .otherUse),
      (Self.rsa + #","kid":7"#, nil, .malformed), (#""n":"AA""#, nil, .malformed), (#""kty":5"#, nil, .malformed),
      (#""kty":"RSA","n":"AA","e":"A=""#, nil, .malformed), (#""kty":"RSA","n":"AA""#, nil, .malformed),
      (#""kty":"EC","crv":"P-256","x":"AA","y":"AA""#, nil, .malformed),
      // A point that is not on the curve.
      (Self.ec.replacing(TokenFixtures.y, with: TokenFixtures.x), nil, .malformed),
      (#""kty":"RSA","n":"\#(TokenFixtures.weakModulus)","e":"AQAB""#, nil, .weak), (Self.rsa.replacing("AQAB", with: "AQ"), nil, .weak),
      (Self.rsa.replacing("AQAB", with: "AQAA"), nil, .weak), (Self.rsa.replacing("AQAB", with: ""), nil, .weak),
    ]
    for (key, kid, reason) in cases {
      let expected = TokenKeyError.jwk(index: 1, kid: kid, reason: reason)
      #expect(throws: expected, "\(key)") { try TokenKey.jwks(#"{"keys":[{\#(Self.ec)},{\#(key)}]}"#) }
    }
    #expect(throws: TokenKeyError.jwk(index: 0, kid: nil, reason: .malformed)) { try TokenKey.jwks(#"{"keys":[1]}"#) }
  }

  @Test func `what is no set is refused`() {
    for text in ["", "{}", "[]", #"{"keys":{}}"#, #"{"keys":[]}"#, "{\(Self.ec)}", #"{"keys":[{\#(Self.ec),"kty":"EC"}]}"#] {
      #expect(throws: TokenKeyError.notJWKS, "\(text)") { try TokenKey.jwks(text) }
    }
  }
}
