import ChatClient
import ChatEngine
import ChatModel
import ChatSDK
import Crypto
import Gateway
import GatewayProtocol
import Glibc
import Observability
import SQLiteStore
import TLS
import Transport

/// A gateway inside the test process, with a store in a folder of its own, and chats that speak to it.
final class GatewayWorld: Sendable {
  private let server: GatewayServer
  private let store: SQLiteStore
  private let folder: String
  private let isSecure: Bool
  private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

  var port: UInt16 { server.addresses.first?.port ?? 0 }
  var url: String { "\(isSecure ? "wss" : "ws")://127.0.0.1:\(port)/ws" }

  /// Starts one, on a port and with the folder of an earlier one where they are given.
  static func start(port: UInt16 = 0, folder: String? = nil, tls: TLSContext? = nil) async throws -> GatewayWorld {
    let folder = folder ?? "/tmp/parley-sdk-test-\(getpid())-\(SecureRandom.token())"
    let store = try SQLiteStore(folder: folder)
    let sockets = try ListeningSockets([.ipv4(IPv4Address(127, 0, 0, 1), port: port)], loops: 2)
    let loops = [try EventLoop(index: 0), try EventLoop(index: 1)]
    var source: (@Sendable () -> TLSContext)?
    if let tls { source = { tls } }
    let server = try await GatewayServer.start(
      services: try services(store, isLoopbackOnly: tls == nil), store: store, sockets: sockets, tls: source, loops: loops)
    return GatewayWorld(server, store, folder, isSecure: tls != nil)
  }

  private init(_ server: GatewayServer, _ store: SQLiteStore, _ folder: String, isSecure: Bool) {
    self.server = server
    self.store = store
    self.folder = folder
    self.isSecure = isSecure
  }

  private static func services(_ store: SQLiteStore, isLoopbackOnly: Bool) throws -> GatewayServices {
    let monitoring = Monitoring(
      loops: 2, empty: LoopMetrics(methods: Method.allCases.count, topicKinds: TopicKind.allCases.count), now: Tick.now().milliseconds,
      readiness: { [] }, page: { _, _ in "" })
    let guestKey = try TokenKey.secret(store.guestKey)
    let verifier = TokenVerifier(keys: [try TokenKey.secret(secret)], guestKey: guestKey, policy: TokenPolicy())
    let reloadable = ReloadableSettings(
      verifier: verifier, guests: .named, guestsMustBeDirect: true, roles: [UserRecord.defaultRole: Permissions()], origins: [])
    var connections = ConnectionLimits()
    connections.drainMs = 500
    connections.lingerMs = 50
    let limits = SessionLimits(
      calls: CallLimits(maxMessageBytes: 131_072, maxTextLength: 10_000, maxBatch: 32), maxFragments: 1_024, maxInFlight: 64,
      maxSubscriptions: 500)
    return GatewayServices(
      name: "Test", version: "0", chat: ChatSettings(), limits: limits, connections: connections,
      guestSigner: try TokenSigner(key: guestKey), isLoopbackOnly: isLoopbackOnly, allowsQueryToken: false, monitoring: monitoring,
      log: Logger(threshold: LogThreshold(.error), now: { 0 }, sink: { _ in }), reloadable: reloadable)
  }

  /// A token of a user.
  static func token(of user: String, type: TokenType = .user, lifetime: Int64 = 3_600) throws -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let claims = TokenClaims(user: user, type: type, issuedAt: Int64(now.tv_sec), expiresAt: Int64(now.tv_sec) + lifetime)
    return try TokenSigner(key: try TokenKey.secret(secret)).sign(claims)
  }

  /// A chat that is not connected.
  func newChat(_ id: String, _ configuration: ChatConfiguration = ChatConfiguration()) throws -> ChatImpl {
    let gateway = GatewayConfiguration(url: url, authentication: .token(try Self.token(of: id)))
    return ChatImpl(chatConfiguration: configuration, gatewayConfiguration: gateway)
  }

  /// A user's chat.
  func chat(_ id: String, _ configuration: ChatConfiguration = ChatConfiguration()) async throws -> ChatImpl {
    try await newChat(id, configuration).initialize()
  }

  /// Stops it, and leaves the folder to another one.
  func halt() async -> String {
    await server.drain()
    store.close()
    return folder
  }

  /// Stops it and removes its folder.
  func stop() async {
    _ = await halt()
    removeStore(folder)
  }
}
