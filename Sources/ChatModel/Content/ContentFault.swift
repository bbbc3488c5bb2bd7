/// Why a body is refused, and where in it.
package struct ContentFault: Error, Hashable, Sendable {
  package let kind: ChatErrorKind
  /// The place in the content, such as `[0].children[2].url`; empty for the content itself.
  package let place: String
  package let reason: String

  package init(_ kind: ChatErrorKind, _ place: String, _ reason: String) {
    self.kind = kind
    self.place = place
    self.reason = reason
  }

  /// A value of the wrong kind or form.
  package static func invalid(_ place: String, _ reason: String) -> ContentFault { ContentFault(.invalidParams, place, reason) }

  /// A value beyond its bound.
  package static func tooLarge(_ place: String, _ reason: String) -> ContentFault { ContentFault(.tooLarge, place, reason) }

  /// The same fault, seen from outside of where it was found.
  package func inside(_ place: String) -> ContentFault { ContentFault(kind, place + self.place, reason) }

  /// The fault as the answer to a call with this parameter.
  package func error(in parameter: String) -> ChatError {
    let field = parameter + place
    return ChatError(kind, "\(field) \(reason)", field: field)
  }
}
