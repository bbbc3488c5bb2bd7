import TestSupport
import Testing

@testable import TLS

@Test func `certificates and keys that cannot be used are named`() throws {
  let one = try TestCertificate(serial: 1)
  let two = try TestCertificate(serial: 2)
  let rsa = try TestCertificate(serial: 3, key: .rsa(bits: 2_048))
  let weak = try TestCertificate(serial: 4, key: .rsa(bits: 1_024))
  let damaged = Array(String(decoding: two.pem, as: UTF8.self).replacing("MI", with: "M!", maxReplacements: 1).utf8)
  let cases: [(String, [UInt8], [UInt8], CredentialProblem?)] = [
    ("good", one.pem, one.keyPEM, nil), ("RSA", rsa.pem, rsa.keyPEM, nil), ("one file", one.pem + one.keyPEM, one.pem + one.keyPEM, nil),
    ("a chain", one.pem + two.pem + rsa.pem, one.keyPEM, nil), ("text around", Array("# mine\n".utf8) + one.pem, one.keyPEM, nil),
    ("a long chain", (0..<16).flatMap { _ in one.pem }, one.keyPEM, nil),
    ("a longer one", (0..<17).flatMap { _ in one.pem }, one.keyPEM, .longChain(limit: 16)),
    ("nothing", [], one.keyPEM, .noCertificate), ("no PEM", Array("nonsense".utf8), one.keyPEM, .noCertificate),
    ("a key in its place", one.keyPEM, one.keyPEM, .noCertificate), ("damaged", damaged, two.keyPEM, .badCertificate(1)),
    ("damaged later", one.pem + damaged, one.keyPEM, .badCertificate(2)), ("no key", one.pem, [], .badKey),
    ("a certificate as key", one.pem, one.pem, .badKey), ("encrypted", one.pem, one.encryptedKeyPEM, .encryptedKey),
    ("another's key", one.pem, two.keyPEM, .mismatch), ("another kind of key", one.pem, rsa.keyPEM, .mismatch),
    ("the chain in the wrong order", two.pem + one.pem, one.keyPEM, .mismatch),
  ]
  for (name, certificates, key, problem) in cases {
    do throws(CredentialProblem) {
      let context = try TLSContext(serving: TLSCredentials(certificates: certificates, key: key), tickets: TicketKeys(now: 0))
      expectEqual(nil, problem, name)
      expect(context.isServer && context.certificate != nil, name)
    } catch { expectEqual(error, problem, name) }
  }
  do throws(CredentialProblem) {
    _ = try TLSContext(serving: TLSCredentials(certificates: weak.pem, key: weak.keyPEM), tickets: TicketKeys(now: 0))
    expect(false, "a key of 1024 bits")
  } catch { expectEqual(error.sentence, "server.tls.certificate is refused: ee key too small") }
}

@Test func `each problem says what is wrong`() {
  let cases: [(CredentialProblem, String)] = [
    (.unreadable(path: "/x"), "the file /x cannot be read"),
    (.noCertificate, "server.tls.certificate holds no certificate; it must be a PEM file, the server's own certificate first"),
    (.badCertificate(2), "server.tls.certificate: certificate 2 of the file is damaged"),
    (
      .longChain(limit: 16),
      "server.tls.certificate holds more than 16 certificates; it must be the server's own and those that lead to a root"
    ),
    (.badKey, "server.tls.key holds no private key that can be read; it must be a PEM file"),
    (.encryptedKey, "server.tls.key is encrypted; store it without a password, readable by the gateway alone"),
    (.mismatch, "server.tls.key is not the key of the first certificate in server.tls.certificate"),
    (.refused("ee key too small"), "server.tls.certificate is refused: ee key too small"),
    (.unstable, "the certificate files change while they are read"), (.noMemory, "there is no memory for a TLS context"),
  ]
  for (problem, sentence) in cases { expectEqual(problem.sentence, sentence) }
}
