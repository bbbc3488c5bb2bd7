import ChatModel

/// Content in a short notation: `[bold a]`, `[codeBlock:swift a]`, `[autoLink:URL text]`, `[mention:id]`.
func brief(_ content: [ContentBlock]) -> String {
  content.map { block in
    switch block {
    case .text(let nodes): brief(nodes)
    case .location(let place): "(\(place.latitude) \(place.longitude))"
    case .file(let block): "[file:\(block.file)]"
    }
  }.joined(separator: "|")
}

func brief(_ nodes: [TextNode]) -> String { nodes.map(brief).joined() }

private func brief(_ node: TextNode) -> String {
  switch node {
  case .plain(let text): text
  case .styled(let style, let children): "[\(style) \(brief(children))]"
  case .literal(let literal, let text): "[\(literal) \(text)]"
  case .codeBlock(let text, let language): "[codeBlock\(language.map { ":\($0)" } ?? "") \(text)]"
  case .link(let url, let children): "[link:\(url) \(brief(children))]"
  case .autoLink(let url, let text): "[autoLink:\(url) \(text)]"
  case .action(let action, let children): "[\(action.kind.rawValue):\(action.name) \(brief(children))]"
  case .mention(let user, let text): "[mention:\(user)\(text.isEmpty ? "" : " \(text)")]"
  case .unknown(let node): "[\(node.type) \(node.text ?? "")\(brief(node.children ?? []))]"
  }
}
