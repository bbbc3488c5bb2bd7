/// A media type without its parameters (RFC 9110 §8.3.1), in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
  /// As in `image/png`.
  package let text: String

  /// Nothing is known of the bytes.
  package static let unknown = MediaType(stored: "application/octet-stream")

  /// Reads the value of a `Content-Type` field; nil where it is none.
  package init?(_ field: String) {
    let essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }
    var bytes = essence.drop { Self.isBlank($0) }
    while let last = bytes.last, Self.isBlank(last) { bytes.removeLast() }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard bytes.count <= Self.maxBytes, parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isName) }) else {
      return nil
    }
    text = String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Takes a type that was checked before it was stored.
  package init(stored text: String) { self.text = text }

  package var description: String { text }

  /// The longest that is read: RFC 6838 §4.2 allows 127 bytes on each side, and none is as long.
  package static let maxBytes = 100

  /// What stands before the slash.
  package var family: Substring { text.prefix { $0 != "/" } }

  /// Whether the type is one that a pattern names: `image/png`, `image/*` or `*/*`.
  package func matches(_ pattern: String) -> Bool {
    pattern == "*/*" || pattern == text || pattern.hasSuffix("/*") && pattern.dropLast(2) == family
  }

  /// What a file of the type is shown as; nil for those that no page shows by itself.
  package var kind: FileKind? {
    guard isShown else { return nil }
    return switch family {
    case "image": .image
    case "video": .video
    default: .audio
    }
  }

  /// Whether a browser may show the file in place.
  ///
  /// Nothing runs in files of these types, whatever is in their bytes. SVG is none of them.
  package var isShown: Bool { Self.shown.contains(text) }

  private static let shown: Set = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
    "video/mp4", "video/webm", "video/ogg", "video/quicktime",
    "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/webm", "audio/wav", "audio/flac",
  ]

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The letters of RFC 6838 §4.2.
  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "-"), UInt8(ascii: "^"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}
