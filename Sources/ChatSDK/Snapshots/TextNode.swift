import ChatModel

/// A piece of a text (`docs/content.md`, Nodes).
public indirect enum TextNode: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Characters that mean themselves.
  case text(String)
  case bold([TextNode])
  case italic([TextNode])
  case strikethrough([TextNode])
  case bulletList([TextNode])
  case bulletPoint([TextNode])
  case blockquote([TextNode])
  case codeSpan(String)
  case emoji(String)
  /// A name between colons.
  case customEmoji(String)
  /// Text that is masked.
  case suppressed(String)
  case codeBlock(String, language: String? = nil)
  /// Needs a permission.
  case link(url: String, [TextNode])
  /// An address that shows itself.
  case autoLink(url: String, text: String)
  /// Needs a permission.
  case actionLink(action: String, params: [String: String], [TextNode])
  /// Needs a permission.
  case actionButton(action: String, params: [String: String], [TextNode])
  /// A user, with their name as it is now; the text counts nothing in what is sent.
  case mention(id: String, text: String = "")
  /// A node of a kind that this version does not know; it is sent as it came.
  case unknown(UnknownTextNode)

  public init(stringLiteral text: String) { self = .text(text) }

  init(_ node: ChatModel.TextNode) {
    switch node {
    case .plain(let text): self = .text(text)
    case .styled(let style, let nodes): self = Self.styled(style, nodes.map(TextNode.init))
    case .literal(let literal, let text): self = Self.literal(literal, text)
    case .codeBlock(let text, let language): self = .codeBlock(text, language: language)
    case .link(let url, let nodes): self = .link(url: url, nodes.map(TextNode.init))
    case .autoLink(let url, let text): self = .autoLink(url: url, text: text)
    case .action(let action, let nodes):
      let (params, children) = (action.params.dictionary, nodes.map(TextNode.init))
      switch action.kind {
      case .link: self = .actionLink(action: action.name, params: params, children)
      case .button: self = .actionButton(action: action.name, params: params, children)
      }
    case .mention(let user, let text): self = .mention(id: user.text, text: text)
    case .unknown(let node): self = .unknown(UnknownTextNode(node))
    }
  }

  private static func styled(_ style: ChatModel.TextNode.Style, _ children: [TextNode]) -> TextNode {
    switch style {
    case .bold: .bold(children)
    case .italic: .italic(children)
    case .strikethrough: .strikethrough(children)
    case .bulletList: .bulletList(children)
    case .bulletPoint: .bulletPoint(children)
    case .blockquote: .blockquote(children)
    }
  }

  private static func literal(_ literal: ChatModel.TextNode.Literal, _ text: String) -> TextNode {
    switch literal {
    case .codeSpan: .codeSpan(text)
    case .emoji: .emoji(text)
    case .customEmoji: .customEmoji(text)
    case .suppressed: .suppressed(text)
    }
  }

  static func models(_ nodes: [TextNode]) throws(ChatError) -> [ChatModel.TextNode] {
    var models: [ChatModel.TextNode] = []
    for node in nodes { models.append(try node.model()) }
    return models
  }

  private func model() throws(ChatError) -> ChatModel.TextNode {
    switch self {
    case .text(let text): return .plain(text)
    case .bold(let nodes): return .styled(.bold, try Self.models(nodes))
    case .italic(let nodes): return .styled(.italic, try Self.models(nodes))
    case .strikethrough(let nodes): return .styled(.strikethrough, try Self.models(nodes))
    case .bulletList(let nodes): return .styled(.bulletList, try Self.models(nodes))
    case .bulletPoint(let nodes): return .styled(.bulletPoint, try Self.models(nodes))
    case .blockquote(let nodes): return .styled(.blockquote, try Self.models(nodes))
    case .codeSpan(let text): return .literal(.codeSpan, text)
    case .emoji(let text): return .literal(.emoji, text)
    case .customEmoji(let text): return .literal(.customEmoji, text)
    case .suppressed(let text): return .literal(.suppressed, text)
    case .codeBlock(let text, let language): return .codeBlock(text, language: language)
    case .link(let url, let nodes): return .link(url: url, try Self.models(nodes))
    case .autoLink(let url, let text): return .autoLink(url: url, text: text)
    case .actionLink(let name, let params, let nodes): return .action(Self.action(.link, name, params), try Self.models(nodes))
    case .actionButton(let name, let params, let nodes): return .action(Self.action(.button, name, params), try Self.models(nodes))
    case .mention(let id, text: _):
      do throws(IdentifierViolation) { return .mention(try UserID(id), text: "") } catch {
        throw .invalid("content", "has a mention whose id \(error.sentence)")
      }
    case .unknown(let node): return .unknown(node.model)
    }
  }

  private static func action(_ kind: ChatModel.TextNode.Action.Kind, _ name: String, _ params: [String: String])
    -> ChatModel.TextNode.Action
  {
    ChatModel.TextNode.Action(kind: kind, name: name, params: CustomFields(params.map { ($0.key, $0.value) }))
  }
}

/// A node of a kind that this version does not know.
public struct UnknownTextNode: Hashable, Sendable {
  let model: UnknownNode

  init(_ model: UnknownNode) { self.model = model }

  /// The kind.
  public var type: String { model.type }
  public var text: String? { model.text }
  public var children: [TextNode]? { model.children?.map(TextNode.init) }
}
