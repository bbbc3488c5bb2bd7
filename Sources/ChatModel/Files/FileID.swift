/// The id of a file that was uploaded; on the wire its `fileToken`.
///
/// 16 random bytes as base64url. It is no secret: who may use a file is decided by who they are (`docs/files.md`).
package struct FileID: Hashable, Sendable, CustomStringConvertible {
  /// The id as it stands on the wire: 22 letters of base64url.
  package let text: String

  /// Takes an id in the form that the server gives them; nil for another text.
  package init?(_ text: String) {
    guard text.utf8.count == Self.letters, text.utf8.allSatisfy(Self.isLetter) else { return nil }
    self.text = text
  }

  /// Takes an id that was checked before it was stored.
  package init(stored text: String) { self.text = text }

  package var description: String { text }

  private static let letters = 22

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The SHA-256 of a file's content, by which its bytes are kept.
package struct FileHash: Hashable, Sendable, CustomStringConvertible {
  /// 64 hexadecimal digits in lower case.
  package let text: String

  /// Takes a digest of 32 bytes.
  package init(digest: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    text = String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Takes a text; nil where it is no hash.
  package init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = text
  }

  package var description: String { text }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
