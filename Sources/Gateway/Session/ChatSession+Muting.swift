import ChatEngine
import ChatModel
import GatewayProtocol
import Transport

// Whom the session does not see.
extension ChatSession {
  /// The caller's list is asked for or changed: it is the session's, or where it is kept the user's.
  func changeMuted(
    _ operation: UserOperation, by caller: Caller, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop
  ) {
    if hub.services.chat.syncsMutedUsers {
      return hub.directory.shard(of: caller.user).post(.userCall(caller.user, operation, caller, register(PendingCall(waited))))
    }
    do throws(ChatError) {
      guard !caller.isActing else {
        throw ChatError(.forbidden, "Mute lists are the sessions' here (chat.syncMutedUsers is off)", field: "actAs")
      }
      if let muted = try MuteList.changed(caller.muted, by: operation, of: caller.user) { self.muted(muted) }
      finish(waited, .success(.chat(operation == .muted ? .muted(caller.muted.sorted()) : .done)), connection, on: loop)
    } catch { finish(waited, .failure(RPCError(error)), connection, on: loop) }
  }

  /// The session does not see these users from now on: its topics are shown anew where that changes them.
  func muted(_ users: Set<UserID>) {
    guard machine.muted(users), let viewer = machine.open?.caller.user else { return }
    for subscription in subscriptions.all where subscription.viewer == viewer && subscription.topic.hidesMuted {
      hub.shard(of: subscription.topic, viewer: viewer).post(
        .muted(subscription.topic, subscription.machine.id, viewer: viewer, users))
    }
  }
}

extension Topic {
  /// Whether the topic shows less to those who muted somebody.
  var hidesMuted: Bool {
    switch self {
    case .conversation, .messages, .typing, .conversations: true
    case .participants, .invitations, .user, .online: false
    }
  }
}
