/// The value of a `Content-Disposition` field (RFC 6266).
package enum ContentDisposition {
  /// The value that lets a client save or show a content under a name.
  ///
  /// Both forms of the name are there: an ASCII one in which all else is `_`, and the name itself as RFC 8187 §3.2 writes it.
  package static func value(isShown: Bool, filename: String) -> String {
    var plain: [UInt8] = []
    var escaped: [UInt8] = []
    for scalar in filename.unicodeScalars {
      plain.append(isPlain(scalar) ? UInt8(truncatingIfNeeded: scalar.value) : UInt8(ascii: "_"))
    }
    for byte in filename.utf8 {
      if isAttributeCharacter(byte) {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    let kind = isShown ? "inline" : "attachment"
    return "\(kind); filename=\"\(String(decoding: plain, as: UTF8.self))\"; filename*=UTF-8''\(String(decoding: escaped, as: UTF8.self))"
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// A character that no reader of the field takes for anything but a letter of the name.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    guard let byte = UInt8(exactly: scalar.value) else { return false }
    return isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == ASCII.space
  }

  private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
