import ChatClient
import ChatSDK
import Gateway
import Locks
import TLS
import TestSupport
import Testing
import Transport

private func silent(at port: UInt16) throws -> ListeningSockets {
  try ListeningSockets([.ipv4(IPv4Address(127, 0, 0, 2), port: port)], loops: 1)
}

/// What a chat does when its gateway goes, comes back, or does not want it.
@Suite(.timeLimit(.minutes(2))) struct ConnectionLifeTests {
  @Test func `a chat comes back to a gateway that was away, with its subscriptions, its window and its sends`() async throws {
    let world = try await GatewayWorld.start()
    let (ada, bob) = (try await world.chat("ada"), try await world.chat("bob"))
    let room = ada.conversation(id: "room")
    try await room.createIfNotExists()
    for number in 0..<30 { try await room.send(text: "\(number)") }
    let seen = Seen<[MessageSnapshot]?>()
    let watched = room.subscribeMessages { list, _ in seen.add(list) }
    _ = try await watched.connected.await()
    try await watched.loadMore(count: 10)
    let status = Seen<ConnectionStatus>()
    let handle = ada.addConnectionStatusListener { status.add($0) }

    let port = world.port
    let folder = await world.halt()
    try await status.first("gone") { if case .connectionError = $0 { true } else { false } }
    expect(ada.isReconnecting && watched.state.type == "active")
    async let late = room.send(text: "while away")
    async let read: Void = room.markAsRead()
    let back = try await GatewayWorld.start(port: port, folder: folder)
    try await status.first("back") { $0 == .online }
    let message = try await late
    _ = try await read
    let list = try await seen.first("its window and what came") { $0?.first?.id == message.id && ($0?.count ?? 0) >= 21 }
    expectEqual(list?.prefix(2).map(\.plaintext), ["while away", "29"])
    expectEqual(try await room.history(limit: 2).messages.map(\.plaintext), ["while away", "29"], "sent once")
    try await bob.conversation(id: "room").createIfNotExists()
    for chat in [ada, bob] { chat.destroy() }
    handle.close()
    await back.stop()
  }

  @Test func `tokens open sessions, bad ones end the chat, and new ones keep it`() async throws {
    let world = try await GatewayWorld.start()
    let asked = Lock(0)
    func chat(_ authentication: GatewayConfiguration.Authentication) -> ChatImpl {
      ChatImpl(gatewayConfiguration: GatewayConfiguration(url: world.url, authentication: authentication))
    }
    let fixed = chat(.token(try GatewayWorld.token(of: "ada")))
    try await fixed.initialize()
    expectEqual(try fixed.currentUser.id, "ada")
    // A token that lives 61 s is announced within a second to expire within 60, and renewed.
    let renewing = chat(
      .tokens {
        asked.withLock { $0 += 1 }
        return try GatewayWorld.token(of: "bob", lifetime: 61)
      })
    try await renewing.initialize()
    let start = ContinuousClock.now
    while asked.withLock({ $0 }) < 2, ContinuousClock.now - start < .seconds(20) { await Task.yield() }
    expect(asked.withLock { $0 } >= 2, "a new token was asked for")
    let bad = chat(.token("x.y.z"))
    let told = Seen<ChatError>()
    let handle = bad.onError { told.add($0) }
    var code: ChatError.Code?
    do throws(ChatError) { try await bad.initialize() } catch { code = error.code }
    expectEqual(code, .unauthenticated)
    try await told.first("told") { $0.code == .unauthenticated }
    handle.close()
    for chat in [fixed, renewing, bad] { chat.destroy() }
    await world.stop()
  }

  @Test func `nobody at the address, or nobody who may be believed, is an error at once`() async throws {
    let certificate = try TestCertificate(serial: 1)
    let context = try TLSContext(
      serving: TLSCredentials(certificates: certificate.pem, key: certificate.keyPEM), tickets: TicketKeys(now: 0))
    let world = try await GatewayWorld.start(tls: context)
    let pem = String(decoding: certificate.pem, as: UTF8.self)
    let cases: [(GatewayConfiguration, ChatError.Code)] = [
      (GatewayConfiguration(url: "http://x"), .invalidConfiguration), (GatewayConfiguration(url: "ws://127.0.0.1:1/ws"), .connectionLost),
      (GatewayConfiguration(url: "ws://nobody.invalid.:1/ws"), .connectionLost),
      (GatewayConfiguration(url: world.url.replacing("wss", with: "ws")), .invalidRequest),
      (GatewayConfiguration(url: world.url), .forbidden),
      // Its name is another one.
      (GatewayConfiguration(url: world.url, trust: .authorities(pem: pem)), .forbidden),
      (GatewayConfiguration(url: world.url, trust: .authorities(pem: "")), .invalidConfiguration),
      (GatewayConfiguration(url: world.url, authentication: .guest(id: "a/b")), .invalidParams),
    ]
    for (configuration, expected) in cases {
      let chat = ChatImpl(gatewayConfiguration: configuration)
      var code: ChatError.Code?
      do throws(ChatError) { try await chat.initialize() } catch { code = error.code }
      expectEqual(code, expected, "\(configuration.url)")
      chat.destroy()
    }
    let named = GatewayConfiguration(
      url: "wss://parley.example:\(world.port)/ws", authentication: .guest(id: "ada"), trust: .authorities(pem: pem))
    let chat = ChatImpl(gatewayConfiguration: named, addresses: ["127.0.0.1"])
    try await chat.initialize()
    let room = chat.conversation(id: "room")
    try await room.createIfNotExists()
    let long = String(repeating: "x", count: 9_000)
    for _ in 0..<5 { try await room.send(text: long) }
    expectEqual(try await room.history().messages.map(\.plaintext), Array(repeating: long, count: 5), "many records")
    chat.destroy()
    await world.stop()
  }

  @Test func `where one address of a host does not answer, the next one does`() async throws {
    let world = try await GatewayWorld.start()
    // Nobody accepts there.
    let silent = try silent(at: world.port)
    let named = GatewayConfiguration(url: "ws://localhost:\(world.port)/ws", authentication: .token(try GatewayWorld.token(of: "ada")))
    let chat = ChatImpl(gatewayConfiguration: named, addresses: ["127.0.0.2", "127.0.0.1"], handshakeMs: 500)
    try await chat.initialize()
    expectEqual(try chat.currentUser.id, "ada", "over the second of \(silent.addresses.count + 1)")
    chat.destroy()
    await world.stop()
  }
}
