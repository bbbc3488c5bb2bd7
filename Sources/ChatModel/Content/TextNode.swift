/// A piece of a text block (`docs/content.md`, Nodes).
///
/// What is larger than a string is kept apart, so that plain text costs no more than its string.
package enum TextNode: Hashable, Sendable {
  case plain(String)
  /// Nodes in a style, or as a list, a point of one or a quotation.
  case styled(Style, [TextNode])
  /// Text that is taken letter by letter.
  case literal(Literal, String)
  indirect case codeBlock(String, language: String?)
  indirect case link(url: String, [TextNode])
  /// An address that shows itself.
  indirect case autoLink(url: String, text: String)
  indirect case action(Action, [TextNode])
  /// A user; the text is empty where the body is kept, and has the user's name as it is now where it is shown.
  indirect case mention(UserID, text: String)
  indirect case unknown(UnknownNode)

  /// The kinds of node that have nothing but children.
  package enum Style: String, Hashable, Sendable, CaseIterable {
    case bold
    case italic
    case strikethrough
    case bulletList
    case bulletPoint
    case blockquote
  }

  /// The kinds of node that have nothing but a text.
  package enum Literal: String, Hashable, Sendable, CaseIterable {
    case codeSpan
    case emoji
    case customEmoji
    case suppressed
  }

  /// What a client does when the node is chosen; the gateway only hands it on.
  package struct Action: Hashable, Sendable {
    package let kind: Kind
    package let name: String
    package let params: CustomFields

    package init(kind: Kind, name: String, params: CustomFields) {
      self.kind = kind
      self.name = name
      self.params = params
    }

    /// How the action looks.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case link = "actionLink"
      case button = "actionButton"
    }
  }
}

/// A node of a kind that this version does not know, as it came.
package struct UnknownNode: Hashable, Sendable {
  package let type: String
  package let text: String?
  package let children: [TextNode]?
  /// The other members in their order.
  package let members: [Member]

  package init(type: String, text: String?, children: [TextNode]?, members: [Member]) {
    self.type = type
    self.text = text
    self.children = children
    self.members = members
  }

  /// A member that nobody here looks into.
  package struct Member: Hashable, Sendable {
    package let key: String
    /// The value, encoded by whoever decodes it.
    package let value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }
}

extension TextNode {
  /// The nodes inside; nil for kinds that have none.
  package var children: [TextNode]? {
    switch self {
    case .styled(_, let children), .link(_, let children), .action(_, let children): children
    case .unknown(let node): node.children
    case .plain, .literal, .codeBlock, .autoLink, .mention: nil
    }
  }

  /// Whether the node stands on lines of its own.
  var isOnOwnLines: Bool {
    switch self {
    case .styled(let style, _):
      switch style {
      case .bulletList, .bulletPoint, .blockquote: true
      case .bold, .italic, .strikethrough: false
      }
    case .codeBlock: true
    case .plain, .literal, .link, .autoLink, .action, .mention, .unknown: false
    }
  }
}
