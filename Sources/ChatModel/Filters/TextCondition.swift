/// A text that equals another one only byte for byte; Swift's own takes two spellings of one letter for the same.
package struct ExactText: Hashable, Sendable, Comparable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  package static func < (one: ExactText, other: ExactText) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// What a text that may be absent has to be.
package struct TextCondition: Hashable, Sendable {
  /// The texts that are meant, ordered, each once.
  package let texts: [ExactText]
  /// Whether absence is meant too.
  package let meansAbsence: Bool
  /// Whether all others are meant instead.
  package let isNegated: Bool

  /// What is one of these holds; nil is absence.
  package static func isOneOf(_ texts: [String?]) -> TextCondition { TextCondition(texts, isNegated: false) }

  /// What is none of these holds; nil is absence.
  package static func isNoneOf(_ texts: [String?]) -> TextCondition { TextCondition(texts, isNegated: true) }

  /// A text that is there.
  package static let exists = isNoneOf([nil])

  /// A text that is absent.
  package static let isAbsent = isOneOf([nil])

  private init(_ texts: [String?], isNegated: Bool) {
    self.texts = Set(texts.compactMap { $0.map(ExactText.init) }).sorted()
    meansAbsence = texts.contains(nil)
    self.isNegated = isNegated
  }

  /// Whether the condition holds for a text, or for its absence.
  package func holds(for text: String?) -> Bool {
    guard let text else { return meansAbsence != isNegated }
    return texts.contains(ExactText(text)) != isNegated
  }
}
