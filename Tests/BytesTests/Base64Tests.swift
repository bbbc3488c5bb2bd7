import Bytes
import TestSupport
import Testing

@Suite struct Base64Tests {
  @Test func `the vectors of RFC 4648 go both ways`() {
    let rows = [
      ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"), ("foob", "Zm9vYg==", "Zm9vYg"),
      ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
    ]
    for (text, padded, bare) in rows {
      let bytes = Array(text.utf8)
      expectEqual(Base64.encode(bytes), padded, text)
      expectEqual(Base64.encodeURLSafe(bytes), bare, text)
      expectEqual(Base64.decode(padded), bytes, padded)
      expectEqual(Base64.decodeURLSafe(bare), bytes, bare)
    }
    let all = (0...255).map { UInt8($0) }
    expectEqual(Base64.encode([0xFB, 0xEF, 0xFF]), "++//", "standard alphabet")
    expectEqual(Base64.encodeURLSafe([0xFB, 0xEF, 0xFF]), "--__", "URL-safe alphabet")
    for count in 0...256 {
      let bytes = Array(all.prefix(count))
      expectEqual(Base64.decode(Base64.encode(bytes)), bytes, "\(count) bytes")
      expectEqual(Base64.decodeURLSafe(Base64.encodeURLSafe(bytes)), bytes, "\(count) bytes, URL-safe")
    }
  }

  @Test func `anything but the one right text is refused`() {
    let padded = [
      "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zh==", "Zm9=", "Zm8=Zm8=", "Zg==\n", " Zg==", "Zm9-", "Zm9_", "Zm9é", "A", "AAAAA",
      "A=A=",
    ]
    for text in padded { expectEqual(Base64.decode(text), nil, text) }
    for text in ["Zg==", "Zh", "Zm9", "A", "AAAAA", "Zm9+", "Zm9/", "Zm 9"] { expectEqual(Base64.decodeURLSafe(text), nil, text) }
  }
}
