import ChatModel
import JSON

/// The form of a message's body in its column: an array of blocks.
///
/// It is part of the file format: keys and names never change. Bodies of earlier versions have strings alone.
enum StoredContent {
  // MARK: Writing

  static func write(_ content: [ContentBlock], to writer: inout JSONWriter) {
    writer.beginArray()
    for block in content {
      writer.beginObject()
      switch block {
      case .text(let nodes):
        writer.field("type", "text")
        write(nodes, to: &writer)
      case .location(let location):
        writer.field("type", "location")
        writer.field("latitude", location.latitude)
        writer.field("longitude", location.longitude)
      case .file(let block): write(block, to: &writer)
      }
      writer.endObject()
    }
    writer.endArray()
  }

  private static func write(_ block: FileBlock, to writer: inout JSONWriter) {
    writer.field("type", "file")
    writer.field("id", block.file.text)
    guard let details = block.details else { return }
    writer.field("filename", details.filename)
    writer.field("size", details.size)
    writer.field("mediaType", details.mediaType.text)
    writer.field("kind", ifPresent: details.kind?.rawValue)
    writer.field("width", ifPresent: details.width)
    writer.field("height", ifPresent: details.height)
    writer.field("durationMs", ifPresent: details.durationMs)
  }

  private static func write(_ nodes: [TextNode], to writer: inout JSONWriter) {
    writer.key("children")
    writer.beginArray()
    for node in nodes {
      if case .plain(let text) = node {
        writer.string(text)
      } else {
        writer.beginObject()
        write(node, to: &writer)
        writer.endObject()
      }
    }
    writer.endArray()
  }

  private static func write(_ node: TextNode, to writer: inout JSONWriter) {
    switch node {
    case .plain: break
    case .styled(let style, let children):
      writer.field("type", style.rawValue)
      write(children, to: &writer)
    case .literal(let literal, let text):
      writer.field("type", literal.rawValue)
      writer.field("text", text)
    case .codeBlock(let text, let language):
      writer.field("type", "codeBlock")
      writer.field("text", text)
      writer.field("language", ifPresent: language)
    case .link(let url, let children):
      writer.field("type", "link")
      writer.field("url", url)
      write(children, to: &writer)
    case .autoLink(let url, let text):
      writer.field("type", "autoLink")
      writer.field("url", url)
      writer.field("text", text)
    case .action(let action, let children):
      writer.field("type", action.kind.rawValue)
      writer.field("action", action.name)
      writer.key("params")
      StoredFields.write(action.params, to: &writer)
      write(children, to: &writer)
    case .mention(let user, _):
      writer.field("type", "mention")
      writer.field("id", user.text)
    case .unknown(let node): write(node, to: &writer)
    }
  }

  /// Its members stand apart, so that a kind that becomes known later is still read as it was written.
  private static func write(_ node: UnknownNode, to writer: inout JSONWriter) {
    writer.field("type", "unknown")
    writer.field("name", node.type)
    writer.field("text", ifPresent: node.text)
    if let children = node.children { write(children, to: &writer) }
    writer.key("members")
    writer.beginArray()
    for member in node.members {
      writer.string(member.key)
      writer.string(member.value)
    }
    writer.endArray()
  }

  // MARK: Reading

  /// Reads the column; nil when no version wrote it so.
  static func read(_ root: JSONValue) -> [ContentBlock]? {
    guard let elements = root.array else { return nil }
    var blocks: [ContentBlock] = []
    for element in elements {
      guard let block = block(element) else { return nil }
      blocks.append(block)
    }
    return blocks
  }

  private static func block(_ value: JSONValue) -> ContentBlock? {
    guard let type = value["type"] else { return nil }
    if type.isString("text") { return value["children"].flatMap(nodes).map { .text($0) } }
    if type.isString("file") { return file(value) }
    guard type.isString("location"), let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double else {
      return nil
    }
    return .location(Location(latitude: latitude, longitude: longitude))
  }

  private static func file(_ value: JSONValue) -> ContentBlock? {
    guard let id = value["id"]?.string, let filename = value["filename"]?.string, let size = value["size"]?.integer,
      let mediaType = value["mediaType"]?.string
    else { return nil }
    let details = FileDetails(
      filename: filename, size: size, mediaType: MediaType(stored: mediaType),
      kind: value["kind"]?.string.flatMap(FileKind.init(rawValue:)), width: value["width"]?.integer, height: value["height"]?.integer,
      durationMs: value["durationMs"]?.integer)
    return .file(FileBlock(FileID(stored: id), details))
  }

  private static func nodes(_ value: JSONValue) -> [TextNode]? {
    guard let elements = value.array else { return nil }
    var nodes: [TextNode] = []
    for element in elements {
      guard let node = element.string.map({ .plain($0) }) ?? node(element) else { return nil }
      nodes.append(node)
    }
    return nodes
  }

  private static func node(_ value: JSONValue) -> TextNode? {
    guard let type = value["type"]?.string else { return nil }
    let text = value["text"]?.string
    let children = value["children"].flatMap(nodes)
    if let style = TextNode.Style(rawValue: type) { return children.map { .styled(style, $0) } }
    if let literal = TextNode.Literal(rawValue: type) { return text.map { .literal(literal, $0) } }
    if let kind = TextNode.Action.Kind(rawValue: type) {
      guard let name = value["action"]?.string, let params = value["params"].flatMap(StoredFields.custom), let children else { return nil }
      return .action(TextNode.Action(kind: kind, name: name, params: params), children)
    }
    switch type {
    case "codeBlock": return text.map { .codeBlock($0, language: value["language"]?.string) }
    case "link":
      guard let url = value["url"]?.string, let children else { return nil }
      return .link(url: url, children)
    case "autoLink":
      guard let url = value["url"]?.string, let text else { return nil }
      return .autoLink(url: url, text: text)
    case "mention": return (value["id"]?.string).map { .mention(UserID(stored: $0), text: "") }
    case "unknown": return unknown(value, text, children)
    default: return nil
    }
  }

  private static func unknown(_ value: JSONValue, _ text: String?, _ children: [TextNode]?) -> TextNode? {
    guard let name = value["name"]?.string, let texts = value["members"].flatMap(StoredFields.strings) else { return nil }
    let members = stride(from: 0, to: texts.count - 1, by: 2).map { UnknownNode.Member(key: texts[$0], value: texts[$0 + 1]) }
    return .unknown(UnknownNode(type: name, text: text, children: children, members: members))
  }
}
