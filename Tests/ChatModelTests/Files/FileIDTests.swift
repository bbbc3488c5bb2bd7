import ChatModel
import TestSupport
import Testing

@Suite struct FileIDTests {
  @Test func `an id has 22 letters of base64url`() {
    for text in ["abcdefghijklmnopqrstuv", "ABCDEFGHIJKLMNOPQRSTUV", "0123456789-_0123456789"] {
      expectEqual(FileID(text)?.description, text, text)
      expectEqual(FileID(stored: text), FileID(text), text)
    }
    for text in [
      "", "abc", "abcdefghijklmnopqrstu", "abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrst/v", "../../../../etc/passwd",
      "äbcdefghijklmnopqrstu",
    ] {
      expectEqual(FileID(text), nil, text)
    }
  }

  @Test func `a hash has 64 digits in lower case`() {
    let hash = FileHash(digest: (0..<32).map { UInt8($0 * 8) })
    expectEqual(hash.text, "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8", "a digest")
    expectEqual(FileHash(hash.description), hash, "its text")
    for text in ["", "00", String(repeating: "A", count: 64), String(repeating: "g", count: 64), String(repeating: "/", count: 64)] {
      expectEqual(FileHash(text), nil, text)
    }
  }
}
