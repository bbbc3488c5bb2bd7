import ChatEngine
import ChatModel
import Crypto
import GatewayProtocol
import Glibc
import Observability
import SQLiteStore
import Transport

@testable import Gateway

/// A gateway inside the test process, with a store in a folder of its own.
final class TestGateway: Sendable {
  /// What a test changes.
  struct Settings {
    var connections = ConnectionLimits()
    var limits = SessionLimits(
      calls: CallLimits(maxMessageBytes: 131_072, maxTextLength: 10_000, maxBatch: 32), maxFragments: 1_024, maxInFlight: 64,
      maxSubscriptions: 500)
    var guests = GuestPolicy.named
    var loops = 2
    /// Whether the metrics have an address of their own too.
    var hasMetricsAddress = false
    var allowsQueryToken = false
    /// Where every line of the log goes.
    var log: @Sendable (LogEvent) -> Void = { _ in }

    init(_ change: (inout Settings) -> Void = { _ in }) {
      connections.drainMs = 1_000
      connections.lingerMs = 50
      change(&self)
    }
  }

  let server: GatewayServer
  let store: SQLiteStore
  let metricsAddress: SocketAddress?
  private let folder: String
  private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

  var address: SocketAddress { server.addresses[0] }

  static func start(_ change: (inout Settings) -> Void = { _ in }) async throws -> TestGateway {
    let settings = Settings(change)
    let folder = "/tmp/parley-gateway-test-\(getpid())-\(SecureRandom.token())"
    let store = try SQLiteStore(folder: folder)
    let loopback = SocketAddress.ipv4(IPv4Address(127, 0, 0, 1), port: 0)
    let sockets = try ListeningSockets([loopback], loops: settings.loops)
    let metrics = settings.hasMetricsAddress ? try ListeningSockets([loopback], loops: 1) : nil
    var loops: [EventLoop] = []
    for index in 0..<settings.loops { loops.append(try EventLoop(index: index)) }
    let services = try services(settings, store)
    let server = try await GatewayServer.start(services: services, store: store, sockets: sockets, metrics: metrics, loops: loops)
    return TestGateway(server, store, metrics?.addresses.first, folder)
  }

  private init(_ server: GatewayServer, _ store: SQLiteStore, _ metricsAddress: SocketAddress?, _ folder: String) {
    self.server = server
    self.store = store
    self.metricsAddress = metricsAddress
    self.folder = folder
  }

  private static func services(_ settings: Settings, _ store: SQLiteStore) throws -> GatewayServices {
    let names = MetricsPage.Names(methods: Method.allCases.map(\.name), topicKinds: TopicKind.allCases.map(\.rawValue))
    let monitoring = Monitoring(
      loops: settings.loops, empty: LoopMetrics(methods: names.methods.count, topicKinds: names.topicKinds.count),
      now: Tick.now().milliseconds, readiness: { [] },
      page: { loops, isReady in
        var figures = MetricsPage.Figures()
        figures.loops = loops
        figures.isReady = isReady
        return MetricsPage.render(figures, names: names)
      })
    let guestKey = try TokenKey.secret(store.guestKey)
    let verifier = TokenVerifier(keys: [try TokenKey.secret(secret)], guestKey: guestKey, policy: TokenPolicy())
    var reader = Permissions()
    reader.send = .none
    let reloadable = ReloadableSettings(
      verifier: verifier, guests: settings.guests, guestsMustBeDirect: true,
      roles: [UserRecord.defaultRole: Permissions(), "reader": reader], origins: [])
    var chat = ChatSettings()
    chat.presenceGraceMs = 0
    return GatewayServices(
      name: "Test", version: "0", chat: chat, limits: settings.limits, connections: settings.connections,
      guestSigner: try TokenSigner(key: guestKey), isLoopbackOnly: true, allowsQueryToken: settings.allowsQueryToken,
      monitoring: monitoring, log: Logger(threshold: LogThreshold(.debug), now: { 0 }, sink: settings.log), reloadable: reloadable)
  }

  /// A token of a user.
  static func token(of user: String, type: TokenType = .user, lifetime: Int64 = 3_600) throws -> String {
    let now = WallClock.now() / 1000
    let claims = TokenClaims(user: user, type: type, issuedAt: now, expiresAt: now + lifetime)
    return try TokenSigner(key: try TokenKey.secret(secret)).sign(claims)
  }

  /// A client with an open guest session.
  func guest(_ id: String) throws -> WireClient {
    let client = try WireClient.open(address)
    try client.enter(as: id)
    return client
  }

  /// Waits until lines of the metrics, which follow once a second, are as they should be; false after ten seconds.
  func shows(_ prefix: String, _ condition: ([Substring]) -> Bool) async -> Bool {
    let start = Tick.now()
    while Tick.now().milliseconds(since: start) < 60_000 {
      let lines = server.services.monitoring.metricsPage().split(separator: "\n").filter { $0.hasPrefix(prefix) }
      if condition(lines) { return true }
      await Task.yield()
    }
    return false
  }

  /// Stops it and removes its folder.
  func stop() async {
    await server.drain()
    store.close()
    for name in ["parley.db", "parley.db-wal", "parley.db-shm", "lock", "parley.lock"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }
}
