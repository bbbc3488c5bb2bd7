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
    case .chat(.onSelf(let operation)):
      directory.shard(of: caller.user).post(.userCall(caller.user, operation, caller, register(PendingCall(waited))))
    case .chat(.markAllAsRead): directory.shard(of: caller.user).post(.markAllAsRead(caller, register(PendingCall(waited))))
    case .listSessions(let user): directory.shard(of: user).post(.listSessions(user, register(PendingCall(waited, as: .listSessions))))
    case .revokeSessions(let user):
      directory.shard(of: user).post(.revoke(user, register(PendingCall(waited, as: .revoke(of: user, by: caller.user)))))
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

  private func create(
    _ id: ConversationID?, _ new: NewConversation, by caller: Caller, _ waited: WaitingCall, _ connection: Connection,
    on loop: isolated EventLoop
  ) {
    var new = new
    switch (id, new.with) {
    case (let id?, _): call(id, .createIfNotExists(new), by: caller, waited)
    case (nil, let other?):
      guard let pair = DirectPair(caller.user, other) else {
        return finish(waited, .failure(RPCError(.invalid("with", "must be another user"))), connection, on: loop)
      }
      call(pair.conversation, .createIfNotExists(new), by: caller, waited)
    case (nil, nil):
      new.isServerMade = true
      call(ConversationID(stored: SecureRandom.token()), .createIfNotExists(new), by: caller, waited)
    }
  }
}
