import ChatEngine
import ChatModel
import Crypto
import GatewayProtocol
import Observability
import TLS
import Transport
import WebSocketProtocol

/// The chat sessions of one loop, and what they share.
final class ChatHub: MailboxOwner, TimerTarget, ConnectionObserver {
  /// A session with its connection.
  struct Member {
    let session: ChatSession
    let connection: Connection
  }

  let services: GatewayServices
  let directory: LoopDirectory
  let decoder: CallDecoder
  let context: ConnectionContext
  let index: Int
  private let inbox: Mailbox<SessionMail>
  private(set) var members: [UInt64: Member] = [:]
  var drain: DrainPlan?
  /// The connections with calls that wait for room.
  private var waiting: Set<UInt64> = []
  /// When each connection was told to come back.
  var returns: [UInt64: Tick] = [:]
  /// Called when the last connection that is waited for is gone.
  var drained: (@Sendable () -> Void)?
  /// The connections that a stop waits for.
  var leaving: Set<UInt64> = []
  private var nextBeat: Tick

  init?(services: GatewayServices, directory: LoopDirectory, context: ConnectionContext, on loop: isolated EventLoop) {
    guard let decoder = CallDecoder(limits: services.limits.calls) else { return nil }
    self.services = services
    self.directory = directory
    self.decoder = decoder
    self.context = context
    index = loop.index
    inbox = directory.sessions[loop.index]
    nextBeat = loop.now
  }

  /// Begins to beat: once a second the loop says that it turns.
  func start(on loop: isolated EventLoop) {
    loop.own(self)
    beat(on: loop)
  }

  // MARK: - Members

  /// Makes the session of a connection that wants to be upgraded.
  func newSession(for connection: Connection, mayBeGuest: Bool, _ entry: UpgradeEntry?) -> ChatSession {
    let endpoint = Endpoint(loop: Int32(index), connection: connection.number)
    let session = ChatSession(hub: self, endpoint: endpoint, mayBeGuest: mayBeGuest, entry: entry)
    members[connection.number] = Member(session: session, connection: connection)
    return session
  }

  /// Forgets a session that is over.
  func forget(_ number: UInt64) {
    members[number] = nil
    waiting.remove(number)
  }

  /// A session wants to be asked once a second whether there is room for what waits.
  func waitsForRoom(_ number: UInt64) { waiting.insert(number) }

  private func askWaiting(on loop: isolated EventLoop) {
    for number in Array(waiting) {
      guard let member = members[number] else { continue }
      if !member.session.secondPassed(member.connection, on: loop) { waiting.remove(number) }
    }
  }

  /// A connection came.
  func connectionOpened(_ connection: Connection, on loop: isolated EventLoop) {
    services.log.log(.debug, "connection opened", "", [name(of: connection.number), LogField("peer", .text(connection.peer.description))])
  }

  /// TLS cannot go on; the metrics count it by its kind.
  func secureTransportFailed(_ failure: TLSFailure, of connection: Connection) {
    services.log.log(
      .debug, "tls failed", failure.sentence, [name(of: connection.number), LogField("peer", .text(connection.peer.description))])
  }

  /// A connection ended; its session was told before.
  func connectionEnded(_ connection: Connection, _ cause: CloseCause, on loop: isolated EventLoop) {
    services.log.log(
      .debug, "connection ended", "",
      [name(of: connection.number), LogField("client", .text(connection.client.hostOrUnix)), LogField("cause", .text(cause.label))])
    if drained != nil, leaving.remove(connection.number) != nil { finishDrainWhenEmpty() }
  }

  // MARK: - Mail

  func mailArrived(on loop: isolated EventLoop) {
    for mail in inbox.take(on: loop) { receive(mail, on: loop) }
  }

  private func receive(_ mail: SessionMail, on loop: isolated EventLoop) {
    switch mail {
    case .snapshot(let shared, to: let subscribers):
      for subscriber in subscribers {
        guard let member = members[subscriber.endpoint.connection] else { continue }
        member.session.deliver(shared, to: subscriber, member.connection, on: loop)
      }
    case .reply(let call, let result):
      guard let member = members[call.endpoint.connection] else { return }
      member.session.replied(call, result, member.connection, on: loop)
    case .admitted(let call, let user):
      guard let member = members[call.endpoint.connection] else { return }
      member.session.admitted(call, user, member.connection, on: loop)
    case .refused(let call, let error):
      guard let member = members[call.endpoint.connection] else { return }
      member.session.refused(call, error, member.connection, on: loop)
    case .sessions(let call, let sessions):
      guard let member = members[call.endpoint.connection] else { return }
      member.session.listed(call, sessions, member.connection, on: loop)
    case .muted(let endpoints, let users):
      for endpoint in endpoints { members[endpoint.connection]?.session.muted(users) }
    case .revoked(let endpoints):
      for endpoint in endpoints {
        guard let member = members[endpoint.connection] else { continue }
        member.session.close(.sessionRevoked, .revoked, member.connection, on: loop)
      }
    }
  }

  // MARK: - What sessions ask

  /// The inbox of the shard that owns a topic; lists live with their user.
  func shard(of topic: Topic, viewer: UserID) -> Mailbox<ShardMail> { directory.shard(of: topic, viewer: viewer) }

  func unsubscribe(_ subscription: LiveSubscription) {
    let viewer = subscription.viewer
    shard(of: subscription.topic, viewer: viewer).post(.unsubscribe(subscription.topic, subscription.machine.id, viewer: viewer))
  }

  /// Checks a token and the id in it.
  func verify(_ token: String) -> Result<TokenClaims, TokenProblem> {
    context.work.token()
    do throws(TokenRefusal) {
      let claims = try services.reloadable.verifier.verify(token, now: WallClock.now() / 1000)
      do throws(IdentifierViolation) { try Identifier.check(claims.user) } catch {
        return .failure(TokenProblem(reason: .claims, sentence: "The token's sub \(error.sentence)"))
      }
      return .success(claims)
    } catch { return .failure(TokenProblem(error)) }
  }

  /// A token that brings a guest back.
  func guestToken(of user: UserID, name: String?) -> String? {
    let now = WallClock.now() / 1000
    let claims = TokenClaims(user: user.text, type: .guest, name: name, issuedAt: now, expiresAt: now &+ Self.guestTokenSeconds)
    do throws(TokenKeyError) { return try services.guestSigner?.sign(claims) } catch { return nil }
  }

  /// How long a guest may stay away, seconds: 30 days.
  private static let guestTokenSeconds: Int64 = 30 * 86_400

  /// The greeting of a connection.
  func hello(_ info: SessionInfo?, _ endpoint: Endpoint, mayBeGuest: Bool) -> Hello {
    let letsGuestsIn = mayBeGuest && services.reloadable.guests != .refused
    let auth: Hello.Auth = if let info { .done(info) } else { letsGuestsIn ? .guest : .required }
    return Hello(
      server: Hello.Server(name: services.name, version: services.version), connection: "\(endpoint.loop).\(endpoint.connection)",
      time: WallClock.now(), heartbeatMs: Int(services.connections.heartbeatMs), graceMs: Int(services.connections.graceMs), auth: auth,
      limits: Hello.Limits(
        calls: services.limits.calls, maxSubscriptions: services.limits.maxSubscriptions,
        operationsPerSecond: services.limits.operationsPerSecond, operationsBurst: services.limits.operationsBurst, chat: services.chat,
        maxFragments: services.limits.maxFragments, maxInFlight: services.limits.maxInFlight,
        outboundBytes: services.connections.outboundBytes, inflatedBytesPerSecond: services.connections.inflatedPerSecond))
  }

  // MARK: - Time

  /// Looks at a session again at its next deadline.
  func watch(_ session: ChatSession, on loop: isolated EventLoop) {
    if let timer = session.timer { loop.cancel(timer) }
    session.timer = nil
    let tag = Int(truncatingIfNeeded: session.endpoint.connection)
    if session.machine.isUnauthenticated {
      session.timer = loop.schedule(self, tag: tag, at: loop.now + services.limits.authenticationMs)
    } else if let deadline = session.nextDeadline {
      let wait = max(0, deadline &* 1000 &- WallClock.now())
      // A clock that jumps is noticed within a minute.
      session.timer = loop.schedule(self, tag: tag, at: loop.now + UInt64(min(wait, 60_000)))
    }
  }

  func timerFired(_ tag: Int, on loop: isolated EventLoop) {
    switch tag {
    case Self.beatTag: beat(on: loop)
    case Self.drainTag: drainBatch(on: loop)
    default:
      guard let member = members[UInt64(truncatingIfNeeded: tag)] else { return }
      member.session.timer = nil
      member.session.timeReached(member.connection, on: loop)
    }
  }

  /// No connection has these numbers.
  private static let beatTag = 0
  static let drainTag = -1

  private func beat(on loop: isolated EventLoop) {
    let late = loop.now.milliseconds(since: nextBeat)
    context.metrics.lag.observe(late &* 1000)
    if late >= Self.stallMs { reportStall(late) }
    askWaiting(on: loop)
    context.metrics.queues = context.queueDepth
    nextBeat = loop.now + Monitoring.beatMs
    services.monitoring.beat(of: index, context.metrics, at: loop.now.milliseconds)
    _ = loop.schedule(self, tag: Self.beatTag, at: nextBeat)
  }
}
