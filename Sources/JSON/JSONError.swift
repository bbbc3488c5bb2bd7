/// Why bytes are not a JSON document that is taken.
package struct JSONError: Error, Equatable, Sendable {
  /// The closed list of reasons.
  package enum Kind: Equatable, Sendable, CaseIterable {
    /// The text breaks the grammar of RFC 8259, or holds a lone surrogate or a byte order mark.
    case syntax
    /// Arrays and objects are nested deeper than the parser's bound.
    case depth
    /// The text has more bytes than the parser's bound.
    case size
    /// The bytes are not UTF-8; in a WebSocket text message that is 1007 (RFC 6455 §8.1).
    case invalidUTF8
    /// A well-formed number fits neither 64 bits nor a finite double.
    case numberOutOfRange
    /// An object names a member twice (RFC 8259 §4 leaves the meaning open, so there is none).
    case duplicateKey
    /// The parser was called from inside its own `body`.
    case busy
    /// There is no memory for the document.
    case outOfMemory
  }

  /// The reason.
  package let kind: Kind

  /// Makes the error for a reason.
  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// The reason for people; it never holds any of the text.
  package var sentence: String {
    switch kind {
    case .syntax: "The text is not valid JSON."
    case .depth: "The JSON is nested too deeply."
    case .size: "The JSON is too large."
    case .invalidUTF8: "The text is not valid UTF-8."
    case .numberOutOfRange: "A number in the JSON is out of range."
    case .duplicateKey: "An object in the JSON names a member twice."
    case .busy: "The JSON parser is in use."
    case .outOfMemory: "There is no memory for the JSON."
    }
  }
}
