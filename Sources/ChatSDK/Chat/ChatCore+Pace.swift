import ChatModel
import Locks

// What the client times by itself: typing that ends, and sends that wait for their turn.
extension ChatCore {
  /// Ends the typing of now after the configured time, unless it is renewed or ended before.
  func typingStarted(in conversation: ConversationID) {
    let round = state.withLock { state -> UInt64 in
      let round = nextID(&state)
      state.typingRounds[conversation] = round
      return round
    }
    later(Int64(configuration.typingTimeout) * 1000) { core in
      let isOver = core.state.withLock { $0.typingRounds[conversation] == round }
      if isOver { Task { _ = try? await core.call(.operation(.inConversation(conversation, .stopTyping))) } }
    }
  }

  func typingStopped(in conversation: ConversationID) { state.withLock { $0.typingRounds[conversation] = nil } }

  /// Waits until the client's own pace lets a message out.
  func awaitTurn(in conversation: ConversationID) async throws(ChatError) {
    guard configuration.rateLimitPerChannel.values.contains(where: { $0 > 0 }) else { return }
    var type = state.withLock { $0.types[conversation] }
    if type == nil, case .conversation(let snapshot?) = try await call(.operation(.inConversation(conversation, .get))) {
      type = snapshot.type
      state.withLock { $0.types[conversation] = snapshot.type }
    }
    guard let type, let base = configuration.rateLimitPerChannel[ChannelType(type)], base > 0 else { return }
    let (seconds, attoseconds) = (ContinuousClock.now - born).components
    let now = seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    let factor = Int64(configuration.rateLimitFactor)
    let wait = try state.withLock { (state) throws(ChatError) -> Int64 in
      var pace = state.paces[conversation] ?? SendPace(base: base, factor: factor)
      defer { state.paces[conversation] = pace }
      guard let wait = pace.place(at: now) else {
        throw ChatError(.rateLimited, "Too many messages wait to be sent", retryAfter: .milliseconds(pace.delay(at: now)))
      }
      return wait
    }
    if wait > 0 { try await sleep(wait) }
  }

  func remember(_ snapshot: TopicSnapshot, _ state: inout ChatState) {
    guard case .conversation(let conversation?) = snapshot else { return }
    state.types[conversation.id] = conversation.type
  }
}
