import ChatModel

extension RequestHash {
  /// Adds a body: for each block a letter, `t` and its nodes or `l` and the bits of its two numbers, or `f` and its id.
  ///
  /// A node is a letter and its texts; what has children ends with `)`, so that no two bodies read the same.
  mutating func add(_ content: [ContentBlock]) {
    for block in content {
      switch block {
      case .text(let nodes):
        add(letter: "t")
        for node in nodes { add(node) }
      case .location(let location):
        add(letter: "l")
        add(location.latitude.bitPattern)
        add(location.longitude.bitPattern)
      case .file(let block): add("f", block.file.text)
      }
    }
  }

  private mutating func add(_ node: TextNode) {
    switch node {
    case .plain(let text): add("p", text)
    case .styled(let style, let children):
      add("s", style.rawValue)
      add(children)
    case .literal(let literal, let text): add("i", literal.rawValue, text)
    case .codeBlock(let text, let language): add("b", text, language ?? "")
    case .link(let url, let children):
      add("u", url)
      add(children)
    case .autoLink(let url, let text): add("a", url, text)
    case .action(let action, let children):
      add("x", action.kind.rawValue, action.name)
      for entry in action.params.entries { add("c", entry.key, entry.value) }
      add(children)
    case .mention(let user, _): add("m", user.text)
    case .unknown(let node):
      add("k", node.type, node.text ?? "")
      for member in node.members { add("c", member.key, member.value) }
      add(node.children ?? [])
    }
  }

  private mutating func add(_ children: [TextNode]) {
    for child in children { add(child) }
    add(letter: ")")
  }

  private mutating func add(_ letter: Unicode.Scalar, _ texts: String...) {
    add(letter: letter)
    for text in texts { add(text) }
  }
}
