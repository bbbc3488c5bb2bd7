/// Checks a message's body: its form, its bounds, and what the sender's role allows in it.
package struct ContentCheck {
  /// Nil for those who may send everything.
  private let permissions: Permissions?
  /// The scalars of all texts and addresses.
  private var length = 0
  private var elements = 0
  private var mentions = 0
  private var isVisible = false

  /// Checks a body.
  ///
  /// - Parameter permissions: What the sender's role allows; nil where that is not asked.
  package static func check(_ content: [ContentBlock], maxTextLength: Int, permissions: Permissions? = nil) throws(ContentFault) {
    guard content.count == 1, let block = content.first else { throw .invalid("", "must have exactly one block") }
    var check = ContentCheck(permissions: permissions)
    switch block {
    case .text(let nodes):
      do throws(ContentFault) { try check.nodes(nodes, depth: 1, isInLink: false) } catch { throw error.inside("[0].children") }
      try check.whole(maxTextLength: maxTextLength)
    case .location(let location): try check.location(location)
    case .file:
      guard permissions?.files != false else {
        throw ContentFault(.forbidden, "[0]", "must be no file: your role does not let you send them")
      }
    }
  }

  private init(permissions: Permissions?) { self.permissions = permissions }

  /// What only the whole body tells.
  private func whole(maxTextLength: Int) throws(ContentFault) {
    guard length <= maxTextLength else {
      throw .tooLarge("", "must have at most \(maxTextLength) characters, all texts and addresses together")
    }
    guard elements <= ContentLimits.maxElements else {
      throw .tooLarge("", "must have at most \(ContentLimits.maxElements) nodes that are no strings")
    }
    guard mentions <= ContentLimits.maxMentions else { throw .tooLarge("", "must have at most \(ContentLimits.maxMentions) mentions") }
    guard isVisible else { throw .invalid("", "must not be empty or white space") }
  }

  private func location(_ location: Location) throws(ContentFault) {
    if permissions?.locations == false {
      throw ContentFault(.forbidden, "[0]", "must be no location: your role does not let you send them")
    }
    guard (-90...90).contains(location.latitude) else { throw .invalid("[0].latitude", "must be from -90 to 90") }
    guard (-180...180).contains(location.longitude) else { throw .invalid("[0].longitude", "must be from -180 to 180") }
  }

  // MARK: Nodes

  private mutating func nodes(_ nodes: [TextNode], depth: Int, isInLink: Bool) throws(ContentFault) {
    for (index, node) in nodes.enumerated() {
      do throws(ContentFault) { try self.node(node, depth: depth, isInLink: isInLink) } catch { throw error.inside("[\(index)]") }
    }
  }

  private mutating func node(_ node: TextNode, depth: Int, isInLink: Bool) throws(ContentFault) {
    if case .plain(let text) = node { return add(text) }
    elements += 1
    guard depth <= ContentLimits.maxDepth else { throw .tooLarge("", "must not be nested deeper than \(ContentLimits.maxDepth)") }
    if node.leadsSomewhere, isInLink { throw .invalid("", "must not be inside of another link") }
    try content(of: node)
    guard let children = node.children else { return }
    let isLink = isInLink || node.leadsSomewhere
    do throws(ContentFault) { try nodes(children, depth: depth + 1, isInLink: isLink) } catch { throw error.inside(".children") }
  }

  private mutating func content(of node: TextNode) throws(ContentFault) {
    switch node {
    case .plain: break
    case .styled(let style, let children): try self.style(style, children)
    case .literal(let kind, let text): try literal(kind, text)
    case .codeBlock(let text, let language):
      add(text)
      if let language { try name(language, ".language") }
    case .link(let url, _):
      try allowLinks()
      guard LinkAddress.isAllowed(url) else { throw .invalid(".url", "must be an absolute http, https, mailto or tel address") }
      try bound(url, ContentLimits.maxURLLength, ".url")
      count(url)
    case .autoLink(let url, let text): try autoLink(url, text)
    case .action(let action, _):
      try allowLinks()
      try self.action(action)
    case .mention(let user, _):
      mentions += 1
      add(user.text)
    case .unknown(let node): try unknown(node)
    }
  }

  private func allowLinks() throws(ContentFault) {
    guard permissions?.links == false else { return }
    throw ContentFault(.forbidden, "", "must be no link, action link or button: your role does not let you send them")
  }

  private func style(_ style: TextNode.Style, _ children: [TextNode]) throws(ContentFault) {
    guard style == .bulletList else { return }
    for (index, child) in children.enumerated() {
      if case .styled(.bulletPoint, _) = child { continue }
      throw .invalid(".children[\(index)]", "must be a bulletPoint")
    }
  }

  private mutating func literal(_ kind: TextNode.Literal, _ text: String) throws(ContentFault) {
    switch kind {
    case .codeSpan, .suppressed: break
    case .emoji:
      try bound(text, ContentLimits.maxEmojiLength, ".text")
      guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { throw .invalid(".text", "must not be empty") }
    case .customEmoji:
      try bound(text, ContentLimits.maxEmojiLength, ".text")
      let name = text.unicodeScalars.dropFirst().dropLast()
      let isFramed = text.utf8.count > 2 && text.utf8.first == UInt8(ascii: ":") && text.utf8.last == UInt8(ascii: ":")
      guard isFramed, name.allSatisfy({ $0 != ":" && WordCharacter.isVisible($0) }) else {
        throw .invalid(".text", "must be a name between colons")
      }
    }
    add(text)
  }

  private mutating func autoLink(_ url: String, _ text: String) throws(ContentFault) {
    try bound(url, ContentLimits.maxURLLength, ".url")
    guard LinkAddress.shows(text, url) else { throw .invalid(".url", "must be the address that the text shows") }
    add(text)
    // What the address has beyond the text; the text need not have the scheme.
    length += max(0, url.unicodeScalars.count - Self.longestScheme - text.unicodeScalars.count)
  }

  private static let longestScheme = "https://".utf8.count

  private mutating func action(_ action: TextNode.Action) throws(ContentFault) {
    try name(action.name, ".action")
    guard action.params.isWithinBounds else {
      throw .tooLarge(".params", "must have at most \(CustomFields.maxKeys) keys and \(CustomFields.maxBytes) bytes")
    }
    for entry in action.params.entries {
      count(entry.key)
      count(entry.value)
    }
  }

  private mutating func unknown(_ node: UnknownNode) throws(ContentFault) {
    try name(node.type, ".type")
    guard node.text != nil || node.children != nil else {
      throw .invalid(".type", "is no kind of node, and there is neither text nor children to show")
    }
    if let text = node.text { add(text) }
    for member in node.members {
      count(member.key)
      count(member.value)
    }
  }

  // MARK: Lengths

  private mutating func name(_ name: String, _ place: String) throws(ContentFault) {
    guard !name.isEmpty else { throw .invalid(place, "must not be empty") }
    try bound(name, ContentLimits.maxNameLength, place)
    count(name)
  }

  private func bound(_ text: String, _ limit: Int, _ place: String) throws(ContentFault) {
    // A scalar has one to four bytes: most texts need not be counted scalar by scalar.
    let bytes = text.utf8.count
    guard bytes <= limit || bytes / 4 <= limit && text.unicodeScalars.count <= limit else {
      throw .tooLarge(place, "must have at most \(limit) characters")
    }
  }

  /// Counts a text that is shown.
  private mutating func add(_ text: String) {
    if !isVisible { isVisible = text.unicodeScalars.contains { !$0.properties.isWhitespace } }
    count(text)
  }

  private mutating func count(_ text: String) { length += text.unicodeScalars.count }
}

extension TextNode {
  /// Whether the node can be chosen, so that no other such node may be in it.
  fileprivate var leadsSomewhere: Bool {
    switch self {
    case .link, .autoLink, .action: true
    case .plain, .styled, .literal, .codeBlock, .mention, .unknown: false
    }
  }
}
