/// The version of a message, major 1 always (RFC 9112 §2.3).
package struct HTTPVersion: Equatable, Sendable {
  /// Always 1: other major versions are refused by the parsers.
  package let major: UInt8
  /// 0 or 1 from today's peers; a higher one is treated as 1 (RFC 9110 §2.5).
  package let minor: UInt8

  /// Makes a version from its two digits.
  package init(major: UInt8, minor: UInt8) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0.
  package static let http10 = HTTPVersion(major: 1, minor: 0)
  /// HTTP/1.1.
  package static let http11 = HTTPVersion(major: 1, minor: 1)

  /// The byte at a place, 0 to 4, of `HTTP/`, which stands before every version.
  static func nameByte(_ place: Int) -> UInt8 {
    switch place {
    case 0: UInt8(ascii: "H")
    case 1, 2: UInt8(ascii: "T")
    case 3: UInt8(ascii: "P")
    default: UInt8(ascii: "/")
    }
  }
}
