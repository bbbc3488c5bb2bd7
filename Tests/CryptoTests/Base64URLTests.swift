import Crypto
import TestSupport
import Testing

@Suite struct Base64URLTests {
  @Test func `the vectors of RFC 4648 without padding, both ways`() {
    let cases: [(bytes: [UInt8], text: String)] = [
      ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"), (Array("foob".utf8), "Zm9vYg"),
      (Array("fooba".utf8), "Zm9vYmE"), (Array("foobar".utf8), "Zm9vYmFy"), ([0xFB, 0xEF, 0xFF], "--__"), ([0, 0, 0, 0], "AAAAAA"),
    ]
    for (bytes, text) in cases {
      expectEqual(Base64URL.encode(bytes), text, text)
      expectEqual(Base64URL.decode(text.utf8), bytes, text)
    }
    for count in 0..<200 {
      let bytes = SecureRandom.bytes(count)
      expectEqual(Base64URL.decode(Base64URL.encode(bytes).utf8), bytes, "\(bytes)")
    }
  }

  @Test func `any other spelling is refused`() {
    for text in ["Zg==", "Zm8=", "=", "Z", "Zm9vY", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm 9v", "Zm9v\n", "Zmé", "Z.g"] {
      expectEqual(Base64URL.decode(text.utf8), nil, text)
    }
  }
}
