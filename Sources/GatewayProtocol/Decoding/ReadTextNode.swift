import ChatModel
import JSON

/// Reads the nodes of a text block; their bounds are `ContentCheck`'s to judge.
enum ReadTextNode {
  /// The nodes that are a block's or a node's children.
  ///
  /// - Parameter depth: How deep they lie; beyond the bound nothing is read.
  static func children(of members: ContentMembers, depth: Int) throws(ContentFault) -> [TextNode] {
    guard let children = try optionalChildren(of: members, depth: depth) else { throw .invalid(".children", "is missing") }
    return children
  }

  private static func optionalChildren(of members: ContentMembers, depth: Int) throws(ContentFault) -> [TextNode]? {
    guard let values = try members.array("children") else { return nil }
    var list = NodeList()
    for (index, value) in values.enumerated() {
      if let text = value.string {
        list.append(text)
        continue
      }
      do throws(ContentFault) { list.append(try node(value, depth: depth)) } catch { throw error.inside(".children[\(index)]") }
    }
    return list.nodes
  }

  private static func node(_ value: JSONValue, depth: Int) throws(ContentFault) -> TextNode {
    guard value.object != nil else { throw .invalid("", "must be a string or an object") }
    guard depth <= ContentLimits.maxDepth else { throw .tooLarge("", "must not be nested deeper than \(ContentLimits.maxDepth)") }
    let members = try ContentMembers(value)
    let type = try members.string("type")
    if let style = TextNode.Style(rawValue: type) {
      try members.refuseOthers(than: "type", "children")
      return .styled(style, try children(of: members, depth: depth + 1))
    }
    if let literal = TextNode.Literal(rawValue: type) {
      try members.refuseOthers(than: "type", "text")
      return .literal(literal, try members.string("text"))
    }
    if let kind = TextNode.Action.Kind(rawValue: type) { return try action(kind, members, depth) }
    return try other(type, members, depth)
  }

  private static func action(_ kind: TextNode.Action.Kind, _ members: ContentMembers, _ depth: Int) throws(ContentFault) -> TextNode {
    try members.refuseOthers(than: "type", "action", "params", "children")
    let action = TextNode.Action(kind: kind, name: try members.string("action"), params: try members.strings("params"))
    return .action(action, try children(of: members, depth: depth + 1))
  }

  private static func other(_ type: String, _ members: ContentMembers, _ depth: Int) throws(ContentFault) -> TextNode {
    switch type {
    case "codeBlock":
      try members.refuseOthers(than: "type", "text", "language")
      return .codeBlock(try members.string("text"), language: try members.optionalString("language"))
    case "link":
      try members.refuseOthers(than: "type", "url", "children")
      return .link(url: try members.string("url"), try children(of: members, depth: depth + 1))
    case "autoLink":
      try members.refuseOthers(than: "type", "url", "text")
      return .autoLink(url: try members.string("url"), text: try members.string("text"))
    case "mention":
      try members.refuseOthers(than: "type", "id", "text")
      // The name is shown as it is then, whatever it was when the client read it.
      _ = try members.optionalString("text")
      return .mention(try user(members), text: "")
    default: return try unknown(type, members, depth)
    }
  }

  private static func user(_ members: ContentMembers) throws(ContentFault) -> UserID {
    let text = try members.string("id")
    do throws(IdentifierViolation) { return try UserID(text) } catch { throw .invalid(".id", error.sentence) }
  }

  /// A node of a kind that is made by a newer client, or by one for its own.
  private static func unknown(_ type: String, _ members: ContentMembers, _ depth: Int) throws(ContentFault) -> TextNode {
    var others: [UnknownNode.Member] = []
    for member in members.object where !["type", "text", "children"].contains(where: { member.hasKey($0) }) {
      var writer = JSONWriter(capacity: 64)
      writer.value(member.value)
      others.append(UnknownNode.Member(key: member.key, value: String(decoding: writer.bytes, as: UTF8.self)))
    }
    let children = try optionalChildren(of: members, depth: depth + 1)
    return .unknown(UnknownNode(type: type, text: try members.optionalString("text"), children: children, members: others))
  }
}
