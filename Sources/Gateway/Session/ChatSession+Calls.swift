import ChatEngine
import ChatModel
import Crypto
import GatewayProtocol
import Transport

// Calls that the session's state let through.
extension ChatSession {
  /// Sends a call to the shard that decides on it.
  func dispatch(
    _ request: ClientRequest, by caller: Caller, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop
  ) {
    let directory = hub.directory
    switch request {
    case .createConversation(let id, let new): create(id, new, by: caller, waited, connection, on: loop)
    case .chat(.inConversation(let id, let operation)): call(id, operation, by: caller, waited)
    case .chat(.onUser(let user, let operation)):
      directory.shard(of: user).post(.userCall(user, operation, caller, register(PendingCall(waited))))
    case .chat(.onSelf(let operation)) where operation.isAboutMuted: changeMuted(operation, by: caller, waited, connection, on: loop)
    case .chat(.onSelf(let operation)):
      directory.shard(of: caller.user).post(.userCall(caller.user, operation, caller, register(PendingCall(waited))))
    case .chat(.markAllAsRead): directory.shard(of: caller.user).post(.markAllAsRead(caller, register(PendingCall(waited))))
    case .listSessions(let user): directory.shard(of: user).post(.listSessions(user, register(PendingCall(waited, as: .listSessions))))
    case .revokeSessions(let user):
      directory.shard(of: user).post(.revoke(user, register(PendingCall(waited, as: .revoke(of: user, by: caller.user)))))
    case .fileToken: finish(waited, fileToken(), connection, on: loop)
    case .subscribe(let topic): subscribe(topic, by: caller, waited, connection, on: loop)
    case .unsubscribe(let name, _):
      unsubscribe(name, connection)
      finish(waited, .success(.subscription(topic: name, .unsubscribed)), connection, on: loop)
    case .loadMore(let name, let topic, let count): loadMore(name, topic, count, waited, connection, on: loop)
    case .ping, .openSession, .refreshSession, .closeSession, .cancel: break
    }
  }

  private func call(_ id: ConversationID, _ operation: ConversationOperation, by caller: Caller, _ waited: WaitingCall) {
    let call = register(PendingCall(waited), in: id)
    hub.directory.shard(of: id).post(.call(id, operation, caller, call))
  }

  /// A token for the addresses of files.
  private func fileToken() -> Result<CallResult, RPCError> {
    guard let files = hub.services.files, let open = machine.open, let token = files.tokens.token(of: open, now: WallClock.now() / 1000)
    else { return .failure(RPCError(ChatError.unavailable)) }
    return .success(.fileToken(token))
  }

  private func create(
    _ id: ConversationID?, _ new: NewConversation, by caller: Caller, _ waited: WaitingCall, _ connection: Connection,
    on loop: isolated EventLoop
  ) {
    do throws(ChatError) {
      let (id, new) = try new.named(id, by: caller.user)
      call(id, .createIfNotExists(new), by: caller, waited)
    } catch { finish(waited, .failure(RPCError(error)), connection, on: loop) }
  }
}

extension NewConversation {
  /// The conversation with its id: the one that is given, that of the pair, or one that is drawn.
  func named(_ id: ConversationID?, by user: UserID) throws(ChatError) -> (ConversationID, NewConversation) {
    var new = self
    switch (id, with) {
    case (let id?, _): return (id, new)
    case (nil, let other?):
      guard let pair = DirectPair(user, other) else { throw .invalid("with", "must be another user") }
      return (pair.conversation, new)
    case (nil, nil):
      new.isServerMade = true
      return (ConversationID(stored: SecureRandom.token()), new)
    }
  }
}
