/// The parts of a website's address (RFC 3986 §3) that a text may show: scheme, host and port, and what follows them.
///
/// An address with a user in it is none: `https://bank.example@evil.example` looks like another.
struct WebAddress: Equatable {
  /// In small letters; nil where there is none.
  let scheme: String?
  /// Host and port, with ASCII letters small.
  let authority: String
  /// From the first slash on; `/` alone is none.
  let path: String
  /// With the question mark.
  let query: String
  /// With the number sign.
  let fragment: String

  /// Bytes of a host name (RFC 1035 §2.3.4).
  static let maxHostLength = 253

  /// Takes an address apart; nil for what is none.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard text.unicodeScalars.allSatisfy(WordCharacter.isVisible) else { return nil }
    var begin = 0
    if let scheme = Self.scheme(of: bytes) {
      self.scheme = scheme
      begin = scheme.utf8.count + 3
    } else {
      scheme = nil
    }
    guard let end = Self.authorityEnd(bytes[begin...]) else { return nil }
    guard end == bytes.count || Self.isDelimiter(bytes[end]) else { return nil }
    let rest = bytes[end...]
    authority = Self.text(bytes[begin..<end]).lowercasedASCII
    let fragmentStart = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    let queryStart = rest[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
    let path = Self.text(rest[..<queryStart])
    self.path = path == "/" ? "" : path
    query = Self.text(rest[queryStart..<fragmentStart])
    fragment = Self.text(rest[fragmentStart...])
  }

  /// `http` or `https`, where one of them begins the text with `://` behind it.
  static func scheme(of bytes: some RandomAccessCollection<UInt8>) -> String? {
    ["http", "https"].first { scheme in
      let head = (scheme + "://").utf8
      return bytes.prefix(head.count).elementsEqual(head) { WordCharacter.lowercased($0) == $1 }
    }
  }

  /// Where host and port end that the bytes begin with; nil when there is no host.
  static func authorityEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var end = bytes.startIndex
    var label = 0
    while end < bytes.endIndex, end - bytes.startIndex <= maxHostLength {
      let byte = bytes[end]
      if byte == UInt8(ascii: ".") {
        guard label > 0 else { return nil }
        label = 0
      } else if isHost(byte) {
        label += 1
      } else {
        break
      }
      end += 1
    }
    let rest = bytes[end...]
    guard end > bytes.startIndex, end - bytes.startIndex <= maxHostLength, rest.first != UInt8(ascii: "@") else { return nil }
    return portEnd(rest)
  }

  /// Behind the port, where the bytes begin with one; nil when it is none or a password.
  private static func portEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == UInt8(ascii: ":") else { return bytes.startIndex }
    let digits = bytes.dropFirst().prefix(6).prefix(while: WordCharacter.isDigit)
    guard let port = Int(text(digits)), port <= 65_535, bytes[digits.endIndex...].first != UInt8(ascii: "@") else { return nil }
    return digits.endIndex
  }

  /// Whether a byte may stand in a host.
  static func isHost(_ byte: UInt8) -> Bool {
    WordCharacter.isASCIIWord(byte) || byte >= 0x80 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Whether a byte ends host and port.
  static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
  /// The text with ASCII letters small and all else as it is.
  var lowercasedASCII: String {
    String(decoding: utf8.map(WordCharacter.lowercased), as: UTF8.self)
  }
}
