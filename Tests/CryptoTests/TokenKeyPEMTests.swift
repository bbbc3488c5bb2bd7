import Crypto
import TestSupport
import Testing

@Suite struct TokenKeyPEMTests {
  @Test func `public keys are taken or refused by name`() throws {
    expectEqual(try TokenKey.pem(TokenFixtures.rsaPEM).algorithm, .rs256)
    expectEqual(try TokenKey.pem(TokenFixtures.ecPEM + "\n", kid: "e").algorithm, .es256)
    expectEqual(try TokenKey.pem(TokenFixtures.ecPEM, kid: "e").kid, "e")
    let pem = TokenFixtures.ecPEM
    let cases: [(text: String, expected: TokenKeyError)] = [
      ("", .notPEM), ("secret", .notPEM), (pem.replacing("PUBLIC", with: "PRIVATE"), .notPEM), (pem.replacing("M", with: "N"), .notPEM),
      // An encrypted file must not ask for a password.
      (
        pem.replacing("KEY-----\nM", with: "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\nM"),
        .notPEM
      ),
      (TokenFixtures.weakRSAPEM, .weakRSA), (TokenFixtures.koblitzPEM, .notP256), (TokenFixtures.p384PEM, .notP256),
      (TokenFixtures.ed25519PEM, .unsupportedKey),
    ]
    for (text, expected) in cases { #expect(throws: expected, "\(text)") { try TokenKey.pem(text) } }
  }
}
