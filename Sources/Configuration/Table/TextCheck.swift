/// What a text of the configuration must be.
struct TextCheck: Sendable {
  /// What is accepted, as a noun.
  let accepts: String
  /// What is wrong with a text, as half a sentence; nil if nothing.
  let wrong: @Sendable (String) -> String?

  /// Any text but an empty one.
  static func nonEmpty(_ accepts: String) -> TextCheck {
    TextCheck(accepts: accepts) { $0.isEmpty ? "is empty" : nil }
  }

  /// A name that fits into a line.
  static let name = TextCheck(accepts: "1 to 64 printable characters") { text in
    let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    guard (1...64).contains(text.unicodeScalars.count), isPrintable else { return "is empty, too long or not printable" }
    return nil
  }

  /// The bytes of a key; never shown.
  static let secret = TextCheck(accepts: "at least \(AuthSettings.minSecretBytes) bytes of random text") { text in
    let count = text.utf8.count
    return count < AuthSettings.minSecretBytes ? "is \(count) bytes long" : nil
  }

  /// Where to listen.
  static let listenAddress = TextCheck(accepts: "HOST:PORT, [IPv6]:PORT or unix:PATH") { text in
    ListenAddress(text) == nil ? "\(SettingKey.quoted(text)) is no address to listen on" : nil
  }

  /// An address or a network.
  static let network = TextCheck(accepts: "IP addresses or networks such as 10.0.0.0/8") { text in
    AddressText.isNetwork(text) ? nil : "\(SettingKey.quoted(text)) is no address or network"
  }

  /// A proxy: an address, a network, or the word for unix sockets.
  static let proxy = TextCheck(accepts: "IP addresses, networks such as 10.0.0.0/8, or unix") { text in
    text == "unix" || AddressText.isNetwork(text) ? nil : "\(SettingKey.quoted(text)) is no address, no network and not unix"
  }

  /// Media types, or all of a family.
  static let mediaType = TextCheck(accepts: "media types such as image/png, image/* or */*, in lower case") { text in
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isType =
      parts.count == 2
      && parts.allSatisfy { part in
        part == "*"
          || !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-.+_".utf8.contains($0) }
      }
    return isType && (parts[0] != "*" || parts[1] == "*") ? nil : "\(SettingKey.quoted(text)) is no media type"
  }

  /// A web origin (RFC 6454 §6.2), or the origin of pages that have none.
  static let origin = TextCheck(accepts: "origins such as https://chat.example, in lower case and without a path") { text in
    if text == "null" { return nil }
    let prefix = ["https://", "http://"].first { text.hasPrefix($0) }
    guard let prefix else { return "\(SettingKey.quoted(text)) is no web origin" }
    let rest = text.dropFirst(prefix.count).unicodeScalars
    let isPlain = rest.allSatisfy {
      $0.isASCII && $0.value > 0x20 && !("A"..."Z").contains($0) && !"/?#@*\\\u{7F}".unicodeScalars.contains($0)
    }
    return rest.isEmpty || !isPlain ? "\(SettingKey.quoted(text)) is no web origin" : nil
  }
}
