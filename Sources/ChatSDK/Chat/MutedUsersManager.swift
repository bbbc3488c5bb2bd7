import ChatModel
import Locks

/// Whom the current user does not want to see: their messages and their typing are hidden (`docs/mutes.md`).
///
/// The list lasts as long as the chat, over all its connections; with ``ChatConfiguration/syncMutedUsers`` it is the gateway's to keep.
public struct MutedUsersManager: Sendable {
  let chat: ChatCore

  /// Hides a user; one who is hidden already is no error.
  public func muteUser(_ userId: String) async throws(ChatError) {
    let user = try chat.user(userId)
    _ = try await chat.call(.operation(.onSelf(.mute(user))))
    if !chat.configuration.syncMutedUsers { chat.state.withLock { _ = $0.muted.insert(user) } }
  }

  /// Shows a user again.
  public func unmuteUser(_ userId: String) async throws(ChatError) {
    let user = try chat.user(userId)
    // A connection that comes back meanwhile must not mute them again.
    chat.state.withLock { _ = $0.muted.remove(user) }
    _ = try await chat.call(.operation(.onSelf(.unmute(user))))
  }

  /// The ids of the users who are hidden.
  public func mutedUsers() async throws(ChatError) -> [String] {
    guard case .muted(let users) = try await chat.call(.operation(.onSelf(.muted))) else { throw .unexpectedReply }
    return users.map(\.text)
  }
}
