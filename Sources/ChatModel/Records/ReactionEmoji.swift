/// What users react with: an emoji in its fully-qualified form, or `:name:`, a picture of the application's own.
package struct ReactionEmoji: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The emoji as it stands on the wire.
  package let text: String

  /// Takes an emoji in any of its forms, or a name; nil for all else.
  package init?(_ text: String) {
    // Not longer than the longest of both, a family or a flag; so that nobody has a long text looked through.
    guard text.utf8.count <= Self.maxBytes else { return nil }
    if let full = Self.forms[Self.withoutSelectors(text)] {
      self.text = full
    } else {
      guard Self.isName(text) else { return nil }
      self.text = text
    }
  }

  /// Takes an emoji that was checked before it was stored.
  package init(stored text: String) { self.text = text }

  package var description: String { text }

  package static func < (left: ReactionEmoji, right: ReactionEmoji) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// The most scalars of a name, colons included.
  package static let maxNameLength = 50
  /// The most different ones on one message.
  package static let maxKinds = 50

  private static let maxBytes = maxNameLength * 4

  // MARK: Names

  private static func isName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard (3...maxNameLength).contains(scalars.count), scalars.first == ":", scalars.last == ":" else { return false }
    let isPlain = scalars.dropFirst().dropLast().allSatisfy { scalar in
      guard scalar != ":", !scalar.properties.isWhitespace else { return false }
      return scalar.properties.generalCategory != .control
    }
    // Compared as bytes: two spellings of one name would be two reactions that look alike.
    return isPlain && Identifier.isNormalized(text)
  }

  // MARK: Emoji

  /// What tells two forms of one emoji apart: U+FE0F, which asks for the picture instead of the letter.
  private static let selector: Unicode.Scalar = "\u{FE0F}"

  private static func withoutSelectors(_ text: String) -> String {
    guard text.unicodeScalars.contains(selector) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar != selector { scalars.append(scalar) }
    return String(scalars)
  }

  /// The fully-qualified form of each emoji by its form without selectors, which no two share.
  private static let forms: [String: String] = {
    var forms: [String: String] = [:]
    forms.reserveCapacity(EmojiTable.count)
    for pattern in EmojiTable.patterns.unicodeScalars.split(separator: " ") {
      for full in expand(pattern) { forms[withoutSelectors(full)] = full }
    }
    return forms
  }()

  private static let tones: [Unicode.Scalar] = ["\u{1F3FB}", "\u{1F3FC}", "\u{1F3FD}", "\u{1F3FE}", "\u{1F3FF}"]

  /// The emoji that a pattern of `EmojiTable` stands for.
  private static func expand(_ pattern: Substring.UnicodeScalarView) -> [String] {
    var made: [(text: String.UnicodeScalarView, tone: Unicode.Scalar?)] = [(String.UnicodeScalarView(), nil)]
    for scalar in pattern {
      guard scalar == "%" || scalar == "~" else {
        for index in made.indices { made[index].text.append(scalar) }
        continue
      }
      made = made.flatMap { begun in
        tones.filter { scalar == "%" || $0 != begun.tone }.map { tone in
          var text = begun.text
          text.append(tone)
          return (text, tone)
        }
      }
    }
    return made.map { String($0.text) }
  }
}
