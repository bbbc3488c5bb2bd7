import Crypto
import TestSupport
import Testing

@Suite struct SHA256Tests {
  @Test func `the digests of FIPS 180`() {
    let cases: [(text: String, expected: String)] = [
      ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"), ("abc", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"),
    ]
    for (text, expected) in cases { expectEqual(Base64URL.encode(SHA256.digest(Array(text.utf8))), expected, text) }
  }
}
