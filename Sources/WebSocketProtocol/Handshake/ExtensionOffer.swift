import HTTPProtocol

/// One extension of a `Sec-WebSocket-Extensions` field (RFC 6455 §9.1).
package struct ExtensionOffer: Equatable, Sendable {
  /// One parameter; `nil` where it has no value.
  package struct Parameter: Equatable, Sendable {
    /// The name as sent.
    package let name: String
    /// The value without its quotes.
    package let value: String?

    /// Makes a parameter from its parts.
    package init(_ name: String, _ value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// The extension's token as sent.
  package let name: String
  /// The parameters in their order; names may repeat.
  package let parameters: [Parameter]

  /// Makes an offer from its parts.
  package init(_ name: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.parameters = parameters
  }

  /// Reads the value of the field, or nothing at all where any of it is malformed.
  ///
  /// An offer can always be declined, so a bad one is no reason to refuse the connection. Each byte is looked at once.
  package static func list(_ field: String) -> [ExtensionOffer] {
    var scanner = ExtensionScanner(field)
    return scanner.offers() ?? []
  }
}

/// Walks over the grammar of RFC 6455 §9.1.
private struct ExtensionScanner {
  private var rest: Substring.UTF8View

  init(_ field: String) {
    rest = Substring(field).utf8
  }

  mutating func offers() -> [ExtensionOffer]? {
    var offers: [ExtensionOffer] = []
    repeat {
      skipBlanks()
      // RFC 9110 §5.6.1.2: a recipient reads over empty elements of a list.
      if rest.isEmpty || rest.first == UInt8(ascii: ",") { continue }
      guard let name = token(), let parameters = parameters() else { return nil }
      offers.append(ExtensionOffer(name, parameters))
    } while take(",")
    return rest.isEmpty ? offers : nil
  }

  private mutating func parameters() -> [ExtensionOffer.Parameter]? {
    var parameters: [ExtensionOffer.Parameter] = []
    skipBlanks()
    while take(";") {
      skipBlanks()
      guard let name = token() else { return nil }
      skipBlanks()
      var value: String?
      if take("=") {
        skipBlanks()
        guard let text = rest.first == UInt8(ascii: "\"") ? quoted() : token() else { return nil }
        value = text
        skipBlanks()
      }
      parameters.append(ExtensionOffer.Parameter(name, value))
    }
    return parameters
  }

  private mutating func token() -> String? {
    let bytes = rest.prefix(while: ASCII.isToken)
    guard !bytes.isEmpty else { return nil }
    rest = rest[bytes.endIndex...]
    return String(Substring(bytes))
  }

  /// A quoted string; what it says must be a token (RFC 6455 §9.1).
  private mutating func quoted() -> String? {
    var text: [UInt8] = []
    rest.removeFirst()
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return ASCII.isToken(text) ? String(decoding: text, as: UTF8.self) : nil }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        byte = escaped
      }
      text.append(byte)
    }
    return nil
  }

  private mutating func skipBlanks() {
    rest = rest[(rest.firstIndex { !ASCII.isBlank($0) } ?? rest.endIndex)...]
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }
}
