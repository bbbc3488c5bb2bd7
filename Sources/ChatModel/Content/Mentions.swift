extension [ContentBlock] {
  /// The users whom the body mentions, each once, in reading order.
  package var mentions: [UserID] {
    guard plain == nil else { return [] }
    var users: [UserID] = []
    for case .text(let nodes) in self { TextNode.collectMentions(nodes, &users) }
    return users
  }

  /// Whether a user is mentioned.
  package func mentions(_ user: UserID) -> Bool { plain == nil && mentions.contains(user) }

  /// The body with the mentions of some users only; the others become the text that would mention them.
  package func mentioning(only isMentioned: (UserID) -> Bool) -> [ContentBlock] {
    guard !mentions.allSatisfy(isMentioned) else { return self }
    return mapMentions { user, text in isMentioned(user) ? .mention(user, text: text) : .plain("<@\(user.text)>") }
  }

  /// The body as it is shown: each mention with the user's name.
  package func naming(_ name: (UserID) -> String) -> [ContentBlock] {
    guard !mentions.isEmpty else { return self }
    return mapMentions { user, _ in .mention(user, text: "@" + name(user)) }
  }

  /// The body that is shown, with the new name of one user.
  package func renaming(_ user: UserID, to name: String) -> [ContentBlock] {
    guard mentions(user) else { return self }
    return mapMentions { .mention($0, text: $0 == user ? "@" + name : $1) }
  }

  private func mapMentions(_ change: (UserID, String) -> TextNode) -> [ContentBlock] {
    map { block in
      guard case .text(let nodes) = block else { return block }
      return .text(TextNode.mapMentions(nodes, change))
    }
  }
}

extension MessageRecord {
  /// The users whom a snapshot of the message shows by name: the sender and the mentioned.
  package var people: [UserID] {
    guard content.plain == nil else { return sender.map { [$0] } ?? [] }
    return (sender.map { [$0] } ?? []) + content.mentions
  }

  /// Whether a snapshot of the message shows a user.
  package func shows(_ user: UserID) -> Bool { sender == user || content.mentions(user) }
}

extension ParticipantRecord {
  /// Whether the participant wants to be told of a message: never of an own one or of the application's.
  package func wants(_ message: MessageRecord) -> Bool {
    guard message.type == .user, message.sender != user, !message.isDeleted else { return false }
    switch notify {
    case .always: return true
    case .never: return false
    case .mentionsOnly: return message.content.mentions(user)
    }
  }
}

extension TextNode {
  fileprivate static func collectMentions(_ nodes: [TextNode], _ users: inout [UserID]) {
    for node in nodes {
      if case .mention(let user, _) = node {
        // There are few, so that a set would cost more.
        if !users.contains(user) { users.append(user) }
      } else if let children = node.children {
        collectMentions(children, &users)
      }
    }
  }

  fileprivate static func mapMentions(_ nodes: [TextNode], _ change: (UserID, String) -> TextNode) -> [TextNode] {
    var list = NodeList()
    for node in nodes {
      switch node {
      case .mention(let user, let text): list.append(change(user, text))
      case .styled(let style, let children): list.append(.styled(style, mapMentions(children, change)))
      case .link(let url, let children): list.append(.link(url: url, mapMentions(children, change)))
      case .action(let action, let children): list.append(.action(action, mapMentions(children, change)))
      case .unknown(let node):
        let children = node.children.map { mapMentions($0, change) }
        list.append(.unknown(UnknownNode(type: node.type, text: node.text, children: children, members: node.members)))
      case .plain, .literal, .codeBlock, .autoLink: list.append(node)
      }
    }
    return list.nodes
  }
}
