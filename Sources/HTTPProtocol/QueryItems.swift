/// The names and values of a query as forms and `URLSearchParams` write them: pairs between `&`, `+` for a space, escapes of UTF-8.
package struct QueryItems: Equatable, Sendable {
  /// One pair.
  package struct Item: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// The pairs in their order.
  package let items: [Item]

  /// Reads a query; nil where its escapes are none, or no UTF-8, or a name is there twice: which one counts would be a guess.
  package init?(_ query: String) {
    var items: [Item] = []
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = Self.decode(name), let value = Self.decode(pair[name.endIndex...].dropFirst()) else { return nil }
      guard !items.contains(where: { $0.name.utf8.elementsEqual(decodedName.utf8) }) else { return nil }
      items.append(Item(name: decodedName, value: value))
    }
    self.items = items
  }

  /// The value under a name; nil where there is none.
  package subscript(name: String) -> String? { items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }

  private static func decode(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(ASCII.space)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
