package import ChatEngine
package import ChatModel
package import GatewayProtocol
import Locks
package import Observability
package import Transport

/// The engine without a socket: loops and shards as a gateway has them, and sessions of the same process.
package final class LocalEngine: Sendable {
  /// What holds for all sessions.
  package struct Settings: Sendable {
    package var chat = ChatSettings()
    package var calls = CallLimits(maxMessageBytes: 131_072, maxTextLength: 10_000, maxBatch: 1)
    /// What the roles permit; a role that is not here permits what `default` does.
    package var roles: [String: Permissions] = [UserRecord.defaultRole: Permissions()]
    package var log: Logger

    package init(log: Logger) { self.log = log }
  }

  private let loops: [EventLoop]
  private let directory: LoopDirectory
  private let orders: Mailbox<LocalOrder>
  private let isStopped = Lock(false)

  private init(_ loops: [EventLoop], _ directory: LoopDirectory, _ orders: Mailbox<LocalOrder>) {
    self.loops = loops
    self.directory = directory
    self.orders = orders
  }

  /// Starts loops, of which there must be one at least; all sessions live on the first.
  package static func start(_ settings: Settings, store: any Store, loops: [EventLoop]) async throws -> LocalEngine {
    guard let first = loops.first else { throw OutOfMemory() }
    let directory = LoopDirectory(shards: loops.map { Mailbox(of: $0) }, sessions: loops.map { Mailbox(of: $0) })
    let orders = Mailbox<LocalOrder>(of: first)
    for loop in loops {
      try await loop.run { loop in
        loop.own(
          Shard(settings: settings.chat, store: store, directory: directory, isCompressing: false, log: settings.log, on: loop))
        if loop.index == first.index {
          guard let hub = LocalHub(settings, directory, orders) else { throw OutOfMemory() }
          loop.own(hub)
        }
        loop.start()
      }
    }
    return LocalEngine(loops, directory, orders)
  }

  /// There is no memory for a parser, or no loop.
  private struct OutOfMemory: Error {}

  /// Opens a session of a user, who is made where they are not there.
  package func open(
    _ user: UserID, kind: Caller.Kind = .user, name: String? = nil, receive: @escaping @Sendable (LocalEvent) -> Void
  ) -> LocalSession {
    let session = LocalSession(orders)
    orders.post(.open(session.id, LocalOpening(user: user, kind: kind, name: name, receive: receive)))
    return session
  }

  /// Ends all sessions and the loops, once; the store is the caller's to close.
  package func stop() async {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    await withCheckedContinuation { continuation in orders.post(.closeAll { continuation.resume() }) }
    for loop in loops { await loop.run { $0.stop() } }
  }
}

/// What a session of the process is told.
package enum LocalEvent: Sendable {
  case opened(UserSnapshot)
  case refused(ChatError)
  case snapshot(Topic, TopicSnapshot)
  /// The user was revoked, or the engine stopped.
  case ended(ChatError)
}

/// A session of the process; usable from any thread.
package final class LocalSession: Sendable {
  package typealias Answer = @Sendable (Result<ChatReply, ChatError>) -> Void

  let id: ObjectIdentifier
  private let token = Token()
  private let orders: Mailbox<LocalOrder>

  /// Its address tells sessions apart for as long as one lives.
  private final class Token: Sendable {}

  init(_ orders: Mailbox<LocalOrder>) {
    id = ObjectIdentifier(token)
    self.orders = orders
  }

  /// Performs a call, and answers it later unless the session is closed before.
  package func perform(_ call: ChatCall, _ answer: @escaping Answer) { orders.post(.call(id, call, answer)) }

  /// Ends the session.
  package func close() { orders.post(.close(id)) }
}

/// Who opens a session.
struct LocalOpening: Sendable {
  let user: UserID
  let kind: Caller.Kind
  let name: String?
  let receive: @Sendable (LocalEvent) -> Void
}

/// What sessions ask their loop.
enum LocalOrder: Sendable {
  case open(ObjectIdentifier, LocalOpening)
  case call(ObjectIdentifier, ChatCall, LocalSession.Answer)
  case close(ObjectIdentifier)
  /// Ends all of them, and says when they have.
  case closeAll(@Sendable () -> Void)
}
