/// A part of a message's body.
///
/// Exactly one a message today; the type allows more.
package enum ContentBlock: Hashable, Sendable {
  /// Text, as nodes in reading order.
  case text([TextNode])

  /// The body of a message that is nothing but characters.
  package static func plain(_ text: String) -> [ContentBlock] { [.text([.plain(text)])] }
}

/// A piece of a text block.
///
/// Markup is a later part; its kinds become cases here.
package enum TextNode: Hashable, Sendable {
  case plain(String)
}

extension [ContentBlock] {
  /// The body as plain text, without markup.
  package var plaintext: String {
    // The common case, one block of one node, shares the string's storage.
    if count == 1, case .text(let nodes) = self[0], nodes.count == 1, case .plain(let text) = nodes[0] { return text }
    return map { block in
      switch block {
      case .text(let nodes):
        nodes.map { node in
          switch node {
          case .plain(let text): text
          }
        }.joined()
      }
    }.joined(separator: "\n")
  }
}
