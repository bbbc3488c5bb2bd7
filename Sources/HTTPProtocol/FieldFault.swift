/// What is wrong with a header section (RFC 9112 §5).
package enum FieldFault: Error, Equatable, Sendable, CaseIterable {
  /// A line ends with LF alone. A recipient may accept it, and then two of them can read one message differently.
  case bareLineFeed
  /// A CR without LF behind it (RFC 9112 §2.2).
  case bareCarriageReturn
  /// A line begins with a blank (obs-fold, RFC 9112 §5.2).
  case foldedLine
  /// A blank between name and colon (RFC 9112 §5.1).
  case spaceBeforeColon
  /// A name is empty or has a byte that is not a token's.
  case badName
  /// A value has NUL or another control character.
  case badValue
  /// More field lines than allowed.
  case tooManyFields

  /// The sentence for the peer.
  package var sentence: String {
    switch self {
    case .bareLineFeed: "A line must end with CR LF, not with LF alone."
    case .bareCarriageReturn: "A CR must be followed by LF."
    case .foldedLine: "A header field must not be folded over lines."
    case .spaceBeforeColon: "No space may stand between a field name and its colon."
    case .badName: "A field name must be a token."
    case .badValue: "A field value must not have control characters."
    case .tooManyFields: "The request has too many header fields."
    }
  }
}
