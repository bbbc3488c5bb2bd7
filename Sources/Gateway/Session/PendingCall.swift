import ChatEngine
import ChatModel
import GatewayProtocol

/// A call that came before its time.
struct WaitingCall {
  let call: ClientCall
  /// When it arrived, microseconds of the steady clock.
  let startedAt: UInt64
  let batch: BatchReplies?
}

/// A call that was taken and has no reply yet.
struct PendingCall {
  /// What the reply turns into.
  enum Kind {
    case chat
    case open(guestToken: String?)
    /// The call that goes on once the guest's row is written.
    indirect case persist(before: WaitingCall)
    /// A `loadMore`: those on the same subscription that come until its reply get that too.
    case page(of: SubscriberID)
    /// A `loadMore` that gets the reply of the one with this number.
    case joinedPage(of: UInt64)
    case listSessions
    /// Ends the sessions of a user.
    case revoke(of: UserID, by: UserID)
    /// A `session.refresh` with a token that ends then, in seconds since the epoch.
    case refresh(expiresAt: Int64?)
  }

  /// Nil for a notification, which gets no reply.
  let id: RequestID?
  let method: Method?
  /// When it arrived, microseconds of the steady clock.
  let startedAt: UInt64
  let batch: BatchReplies?
  let kind: Kind
  /// What is reserved for its answer in the connection's queue, bytes.
  var reserved = 0

  init(_ waited: WaitingCall, as kind: Kind = .chat) {
    id = waited.call.id
    method = waited.call.method
    startedAt = waited.startedAt
    batch = waited.batch
    self.kind = kind
  }

  /// A call of the session's own, of which nobody is told.
  init(ownAt startedAt: UInt64, as kind: Kind) {
    id = nil
    method = nil
    self.startedAt = startedAt
    batch = nil
    self.kind = kind
  }
}
