import ChatModel
import JSON

extension JSONWriter {
  /// Writes a block of a message's body.
  mutating func block(_ block: ContentBlock) {
    beginObject()
    switch block {
    case .text(let nodes):
      field("type", "text")
      children(nodes)
    case .location(let location):
      field("type", "location")
      field("latitude", location.latitude)
      field("longitude", location.longitude)
    case .file(let block): members(of: block)
    }
    endObject()
  }

  private mutating func members(of block: FileBlock) {
    field("type", "file")
    field("subtype", ifPresent: block.details?.kind?.rawValue)
    field("url", "/files/\(block.file.text)")
    field("size", block.details?.size ?? 0)
    field("filename", block.details?.filename ?? "")
    field("fileToken", block.file.text)
    field("width", ifPresent: block.details?.width)
    field("height", ifPresent: block.details?.height)
    if let duration = block.details?.durationMs { field("duration", Double(duration) / 1000) }
  }

  private mutating func children(_ nodes: [TextNode]) {
    key("children")
    list(nodes) { $0.node($1) }
  }

  /// Depth is bounded by `ContentLimits.maxDepth`.
  private mutating func node(_ node: TextNode) {
    if case .plain(let text) = node { return string(text) }
    beginObject()
    members(of: node)
    endObject()
  }

  private mutating func members(of node: TextNode) {
    switch node {
    case .plain: break
    case .styled(let style, let nodes):
      field("type", style.rawValue)
      children(nodes)
    case .literal(let literal, let text):
      field("type", literal.rawValue)
      field("text", text)
    case .codeBlock(let text, let language):
      field("type", "codeBlock")
      field("text", text)
      field("language", ifPresent: language)
    case .link(let url, let nodes):
      field("type", "link")
      field("url", url)
      children(nodes)
    case .autoLink(let url, let text):
      field("type", "autoLink")
      field("url", url)
      field("text", text)
    case .action(let action, let nodes):
      field("type", action.kind.rawValue)
      field("action", action.name)
      key("params")
      custom(action.params)
      children(nodes)
    case .mention(let user, let text):
      field("type", "mention")
      field("id", user.text)
      field("text", text)
    case .unknown(let node): members(of: node)
    }
  }

  private mutating func members(of node: UnknownNode) {
    field("type", node.type)
    field("text", ifPresent: node.text)
    if let nodes = node.children { children(nodes) }
    for member in node.members {
      key(named: member.key)
      raw(Array(member.value.utf8))
    }
  }
}
