/// The list of protocols that ALPN carries (RFC 7301 §3.1).
enum ProtocolList {
  /// What is spoken behind the handshake.
  static let http11: [UInt8] = Array("http/1.1".utf8)

  /// The list on the wire: each name behind its length.
  ///
  /// Names of no byte, or of more than 255, cannot be said and are left out.
  static func bytes(of names: [String]) -> [UInt8] {
    names.flatMap { name -> [UInt8] in
      guard let length = UInt8(exactly: name.utf8.count), length > 0 else { return [] }
      return [length] + name.utf8
    }
  }

  /// Where a name stands in a list; nil where it is not in it, or the list is not one.
  static func range(of name: [UInt8], in list: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var position = 0
    while position < list.count {
      let start = position + 1
      let end = start + Int(list[position])
      guard end <= list.count else { return nil }
      if list[start..<end].elementsEqual(name) { return start..<end }
      position = end
    }
    return nil
  }
}
