/// Writes content without its markup.
///
/// What stands on lines of its own is parted by a line break from what is before and after it.
private struct Plaintext {
  private(set) var text = ""
  private var needsBreak = false

  /// Depth is bounded by `ContentLimits.maxDepth`.
  mutating func write(_ nodes: [TextNode]) {
    for node in nodes { write(node) }
  }

  private mutating func write(_ node: TextNode) {
    if node.isOnOwnLines { needsBreak = true }
    switch node {
    case .plain(let text), .literal(_, let text), .codeBlock(let text, _), .autoLink(_, let text), .mention(_, let text): write(text)
    case .styled(_, let children), .link(_, let children), .action(_, let children): write(children)
    case .unknown(let node):
      write(node.text ?? "")
      write(node.children ?? [])
    }
    if node.isOnOwnLines { needsBreak = true }
  }

  private mutating func write(_ piece: String) {
    guard !piece.isEmpty else { return }
    if needsBreak, !text.isEmpty { text += "\n" }
    needsBreak = false
    text += piece
  }
}

extension ContentBlock {
  /// The block as plain text, without markup; empty for a location or a file.
  package var plaintext: String {
    switch self {
    case .text(let nodes):
      var writer = Plaintext()
      writer.write(nodes)
      return writer.text
    case .location, .file: return ""
    }
  }
}

extension [ContentBlock] {
  /// The body as plain text, without markup.
  package var plaintext: String {
    // The common case shares the string's storage.
    plain ?? map(\.plaintext).joined(separator: "\n")
  }
}
