import Crypto
import TestSupport
import Testing

@Suite struct SHA1Tests {
  @Test func `the digests of FIPS 180 and RFC 6455`() {
    let cases: [(text: String, expected: String)] = [
      ("", "2jmj7l5rSw0yVb_vlWAYkK_YBwk"), ("abc", "qZk-NkcGgWq6PiVxeFDCbJzQ2J0"),
      // RFC 6455 §1.3: the accept value of the sample handshake.
      ("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "s3pPLMBiTxaQ9kYGzzhZRbK-xOo"),
    ]
    for (text, expected) in cases { expectEqual(Base64URL.encode(SHA1.digest(Array(text.utf8))), expected, text) }
  }
}
