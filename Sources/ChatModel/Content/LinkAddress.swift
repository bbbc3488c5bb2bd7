/// Which addresses may stand in a message, and which may show themselves by a text of their own.
package enum LinkAddress {
  /// Whether a link may lead to an address: a website, `mailto:` or `tel:`, absolute.
  package static func isAllowed(_ url: String) -> Bool {
    if let address = WebAddress(url) { return address.scheme != nil }
    if let rest = rest(of: url, behind: "mailto:") { return emailEnd(Array(rest.utf8)) != nil }
    return rest(of: url, behind: "tel:").flatMap(number) != nil
  }

  /// Whether a text shows where its address leads.
  ///
  /// - email: the same address behind `mailto:`; telephone: the same number behind `tel:`.
  /// - website: the same host with all its sub-domains and its port; scheme, path, query and fragment the same where they are in the text.
  package static func shows(_ text: String, _ url: String) -> Bool {
    if let address = rest(of: url, behind: "mailto:") {
      return isEmail(address) && (text == address || rest(of: text, behind: "mailto:") == address)
    }
    if let called = rest(of: url, behind: "tel:") {
      let shown = number(rest(of: text, behind: "tel:") ?? text)
      return shown != nil && shown == number(called)
    }
    guard let address = WebAddress(url), address.scheme != nil, let shown = WebAddress(text) else { return false }
    return shown.scheme ?? address.scheme == address.scheme && shown.authority == address.authority
      && (shown.path.isEmpty || shown.path == address.path) && (shown.query.isEmpty || shown.query == address.query)
      && (shown.fragment.isEmpty || shown.fragment == address.fragment)
  }

  /// Whether a text is an email address and nothing more.
  static func isEmail(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return emailEnd(bytes) == bytes.count
  }

  /// Whether a byte may stand before the at sign.
  static func isLocal(_ byte: UInt8) -> Bool { WordCharacter.isASCIIWord(byte) || "._%+-".utf8.contains(byte) }

  /// Bytes before the at sign (RFC 5321 §4.5.3.1.1).
  static let maxLocalLength = 64

  /// Where a domain with at least two labels ends that begins at an index, the last of them letters; nil when there is none.
  static func domainEnd(_ bytes: [UInt8], from begin: Int) -> Int? {
    var end = begin
    var good: Int?
    var label = begin
    while end <= bytes.count, end - begin <= WebAddress.maxHostLength {
      if end < bytes.count, WordCharacter.isASCIIWord(bytes[end]) || bytes[end] == UInt8(ascii: "-") {
        end += 1
        continue
      }
      guard end > label else { break }
      if label > begin, end - label >= 2, bytes[label..<end].allSatisfy(WordCharacter.isLetter) { good = end }
      guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { break }
      end += 1
      label = end
    }
    return good
  }

  /// Where the email address ends that the bytes begin with, as far as a query; nil when they do not.
  private static func emailEnd(_ bytes: [UInt8]) -> Int? {
    let local = bytes.prefix(while: isLocal)
    guard (1...maxLocalLength).contains(local.count), local.count < bytes.count, bytes[local.count] == UInt8(ascii: "@") else { return nil }
    guard let end = domainEnd(bytes, from: local.count + 1) else { return nil }
    if end == bytes.count { return end }
    guard bytes[end] == UInt8(ascii: "?"), String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy(WordCharacter.isVisible) else {
      return nil
    }
    return end
  }

  /// The digits of a telephone number, with a plus sign where there is one; nil for what is none.
  private static func number(_ text: String) -> String? {
    var digits = ""
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "+") where index == 0: digits = "+"
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"): break
      default: return nil
      }
    }
    return (2...20).contains(digits.utf8.count) && digits != "+" ? digits : nil
  }

  private static func rest(of text: String, behind scheme: String) -> String? {
    let count = scheme.utf8.count
    guard text.utf8.count >= count else { return nil }
    let head = String(decoding: text.utf8.prefix(count), as: UTF8.self).lowercasedASCII
    return head == scheme ? String(decoding: text.utf8.dropFirst(count), as: UTF8.self) : nil
  }
}
