package import ChatModel

/// What a call that succeeded answers, whoever answered it.
package enum CallResult: Hashable, Sendable {
  /// `ping`.
  case pong(time: Timestamp)
  /// `session.open`.
  case session(SessionInfo)
  /// `session.refresh`; nil where the new token does not expire.
  case refreshed(expiresAt: Timestamp?)
  /// `session.list`.
  case sessions([SessionSummary])
  /// `file.token`.
  case fileToken(FileToken)
  /// `session.revoke`: how many sessions ended.
  case revoked(Int)
  /// `subscribe` and `unsubscribe`, with the topic's canonical name.
  case subscription(topic: String, SubscriptionState)
  /// All other methods; `session.close` answers `.done`.
  case chat(ChatReply)

  /// The answer of a call that has nothing to tell.
  package static let done = CallResult.chat(.done)
}

/// What lets a page upload and fetch files for a while.
package struct FileToken: Hashable, Sendable {
  package let text: String
  package let expiresAt: Timestamp

  package init(text: String, expiresAt: Timestamp) {
    self.text = text
    self.expiresAt = expiresAt
  }
}

/// The states of a subscription (`docs/protocol.md`, Topics).
package enum SubscriptionState: String, Hashable, Sendable, CaseIterable {
  case pending
  case active
  /// Final.
  case unsubscribed
  /// Final.
  case error
}
