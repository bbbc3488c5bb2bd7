extension [ContentBlock] {
  /// The most bytes of the blocks and of their plain text as JSON.
  package var encodedSize: Int { reduce(6) { $0 + $1.encodedSize } }

  /// About as many bytes as the body takes in a snapshot, without a look at its characters.
  package var roughSize: Int {
    if let plain { return 2 * plain.utf8.count }
    return encodedSize + mentions.count * Self.longestName
  }

  /// The most bytes of a name, once in the text and once in the node; most names are far shorter.
  private static let longestName = 2 * 4 * ChatSettings.maxNameLength
}

extension ContentBlock {
  fileprivate var encodedSize: Int {
    switch self {
    case .text(let nodes): 40 + TextNode.encodedSize(nodes)
    case .location: 120
    case .file(let block): 320 + (block.details?.filename.encodedSize ?? 0)
    }
  }
}

extension TextNode {
  /// Texts count twice, as they stand in the plain text too, once perhaps with a line break before them.
  fileprivate static func encodedSize(_ nodes: [TextNode]) -> Int {
    nodes.reduce(4) { $0 + $1.encodedSize + 1 }
  }

  private var encodedSize: Int {
    switch self {
    case .plain(let text): 2 * text.encodedSize
    case .styled(_, let children): Self.frame + Self.encodedSize(children)
    case .literal(_, let text): Self.frame + 2 * text.encodedSize
    case .codeBlock(let text, let language): Self.frame + 2 * text.encodedSize + (language?.encodedSize ?? 0)
    case .link(let url, let children): Self.frame + url.encodedSize + Self.encodedSize(children)
    case .autoLink(let url, let text): Self.frame + url.encodedSize + 2 * text.encodedSize
    case .action(let action, let children):
      Self.frame + action.name.encodedSize + action.params.encodedSize + Self.encodedSize(children)
    case .mention(let user, let text): Self.frame + user.text.encodedSize + 2 * text.encodedSize
    case .unknown(let node): node.encodedSize
    }
  }

  /// The bytes of an object with its type and the keys of its members, and of the line breaks around it.
  fileprivate static let frame = 80
}

extension UnknownNode {
  fileprivate var encodedSize: Int {
    TextNode.frame + type.encodedSize + 2 * (text?.encodedSize ?? 0) + (children.map(TextNode.encodedSize) ?? 0)
      + members.reduce(0) { $0 + $1.key.encodedSize + $1.value.utf8.count + 2 }
  }
}
