import ChatModel
import JSON

// The parts of a message's body (`docs/content.md`); the parser bounds how deep they lie.
extension ServerValue {
  /// Reads a body; blocks of kinds that are not known are left out.
  func blocks() throws(MalformedMessage) -> [ContentBlock] {
    guard let values = value.array else { throw MalformedMessage(member: name.description) }
    var blocks: [ContentBlock] = []
    for value in values {
      let block = ServerValue(value: value, name: name)
      switch try block.required("type").string() {
      case "text": blocks.append(.text(try block.required("children").nodes()))
      case "location":
        blocks.append(
          .location(Location(latitude: try block.required("latitude").number(), longitude: try block.required("longitude").number())))
      case "file": blocks.append(.file(try block.file()))
      default: break
      }
    }
    return blocks
  }

  /// The type of the bytes is not told; a client hears of it when it fetches them.
  private func file() throws(MalformedMessage) -> FileBlock {
    let duration = try optional("duration")?.number()
    let details = FileDetails(
      filename: try required("filename").string(), size: try required("size").integer(), mediaType: .unknown,
      kind: (try optional("subtype")?.string()).flatMap(FileKind.init(rawValue:)), width: try optional("width")?.integer(),
      height: try optional("height")?.integer(), durationMs: duration.flatMap { Int64(exactly: ($0 * 1000).rounded()) })
    return FileBlock(FileID(stored: try required("fileToken").string()), details)
  }

  private func nodes() throws(MalformedMessage) -> [TextNode] {
    try list { (node) throws(MalformedMessage) in
      if let text = node.value.string { return .plain(text) }
      return try node.node(of: try node.required("type").string())
    }
  }

  private func node(of type: String) throws(MalformedMessage) -> TextNode {
    if let style = TextNode.Style(rawValue: type) { return .styled(style, try required("children").nodes()) }
    if let literal = TextNode.Literal(rawValue: type) { return .literal(literal, try required("text").string()) }
    if let kind = TextNode.Action.Kind(rawValue: type) {
      let action = TextNode.Action(kind: kind, name: try required("action").string(), params: try required("params").custom())
      return .action(action, try required("children").nodes())
    }
    switch type {
    case "codeBlock": return .codeBlock(try required("text").string(), language: try optional("language")?.string())
    case "link": return .link(url: try required("url").string(), try required("children").nodes())
    case "autoLink": return .autoLink(url: try required("url").string(), text: try required("text").string())
    case "mention": return .mention(try required("id").user(), text: try required("text").string())
    default: return .unknown(try unknown(type))
    }
  }

  private func unknown(_ type: String) throws(MalformedMessage) -> UnknownNode {
    var others: [UnknownNode.Member] = []
    guard let members = value.object else { throw MalformedMessage(member: name.description) }
    for member in members where !["type", "text", "children"].contains(where: { member.hasKey($0) }) {
      var writer = JSONWriter(capacity: 64)
      writer.value(member.value)
      others.append(UnknownNode.Member(key: member.key, value: String(decoding: writer.bytes, as: UTF8.self)))
    }
    return UnknownNode(type: type, text: try optional("text")?.string(), children: try optional("children")?.nodes(), members: others)
  }

  private func number() throws(MalformedMessage) -> Double {
    guard let number = value.double else { throw MalformedMessage(member: name.description) }
    return number
  }
}
