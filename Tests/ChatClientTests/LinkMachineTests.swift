import ChatModel
import ChatSDK
import GatewayProtocol
import TestSupport
import Testing

@testable import ChatClient

@Suite struct LinkMachineTests {
  private typealias Action = LinkMachine.Action
  private let room = ConversationID(stored: "room")
  private let user = ChatModel.UserSnapshot(
    id: UserID(stored: "ada"), name: "Ada", role: "default", photoUrl: nil, locale: nil, custom: CustomFields(), welcomeMessage: nil)

  private var get: ChatCall { .operation(.inConversation(room, .get)) }
  private var leave: ChatCall { .operation(.inConversation(room, .deleteParticipant(user.id))) }
  private var send: ChatCall { .sendText(room, "hi", OutgoingMessage(content: [], clientMessageId: "1")) }

  private func greeting(inFlight: Int = 2, _ auth: Greeting.Auth = .guest) -> ServerEvent {
    .hello(Greeting(auth: auth, heartbeatMs: 5_000, graceMs: 2_000, maxMessageBytes: 300, maxInFlight: inFlight))
  }

  private func session(token: String? = nil) -> SessionInfo {
    SessionInfo(session: "s", user: user, role: "default", expiresAt: nil, token: token)
  }

  private func text(_ call: ChatCall, _ id: Int64) -> Action { .send(ClientMessage.call(call).encoded(id: id)) }

  private let connected: Action
  private let keepAlive = Action.keepAlive(intervalMs: 7_000, graceMs: 2_000)

  init() { connected = .tell(.connected(user: user)) }

  /// A machine with a session; the next id is 2.
  private func ready(inFlight: Int = 2, canRenew: Bool = false, token: String? = nil) -> LinkMachine {
    var machine = LinkMachine(callTimeoutMs: 100, canRenew: canRenew)
    expectEqual(machine.start(), [.prepare])
    expectEqual(machine.start(), [])
    expectEqual(machine.prepared(.token("t")), [.connect])
    expectEqual(machine.upgraded(), [])
    let open = Action.send(ClientMessage.openSession(.token("t")).encoded(id: 1))
    expectEqual(machine.received(greeting(inFlight: inFlight), random: 0), [keepAlive, open])
    expectEqual(machine.method(of: 1), .sessionOpen)
    expectEqual(machine.received(.reply(1, .success(.session(session(token: token)))), random: 0), [connected])
    return machine
  }

  @Test func `calls wait for the session, go in order, and no more than the gateway takes at once`() {
    var machine = LinkMachine(callTimeoutMs: 100, canRenew: false)
    expectEqual(machine.call(get, key: 1, at: 0), [])
    expectEqual(machine.call(.unsubscribe(.typing(room)), key: 2, at: 0), [.answer(2, .failure(.connectionLost))])
    _ = machine.start()
    _ = machine.prepared(.token("t"))
    _ = machine.upgraded()
    let done = greeting(inFlight: 1, .done(session()))
    expectEqual(machine.received(done, random: 0), [keepAlive, connected, text(get, 1)])
    expectEqual(machine.call(leave, key: 3, at: 0), [])
    expectEqual(machine.method(of: 1), .conversationGet)
    let reply = ServerEvent.reply(1, .success(.chat(.conversation(nil))))
    expectEqual(machine.received(reply, random: 0), [.answer(1, .success(.conversation(nil))), text(leave, 2)])
    expectEqual(machine.received(reply, random: 0), [], "once")
    let refusal = RPCError(.chat(.rateLimited), "Later", field: "f", retryAfterMs: 1_500)
    let error = ChatSDK.ChatError(.rateLimited, "Later", field: "f", retryAfter: .milliseconds(1_500))
    expectEqual(error.retryAfterMs, 1_500)
    expectEqual(machine.received(.reply(2, .failure(refusal)), random: 0), [.answer(3, .failure(error))])
    let long = ChatCall.sendText(room, String(repeating: "x", count: 300), OutgoingMessage(content: []))
    guard case .answer(4, .failure(let tooLarge)) = machine.call(long, key: 4, at: 0).first else { return expect(false) }
    expectEqual(tooLarge.code, .tooLarge)
    expectEqual(machine.call(.subscribe(.typing(room), from: nil), key: 5, at: 0), [text(.subscribe(.typing(room), from: nil), 4)])
    expectEqual(
      machine.received(.reply(4, .success(.subscription(topic: "typing:room", .pending))), random: 0), [.answer(5, .success(.done))])
    expectEqual(machine.received(.snapshot(.typing(room), .typing(.many)), random: 0), [.tell(.snapshot(.typing(room), .typing(.many)))])
    expectEqual(machine.received(.ended(.typing(room), nil), random: 0), [.tell(.ended(.typing(room), nil))])
    for event in [ServerEvent.ignored, .refused(refusal), .sessionExpiring(expiresAt: 1)] {
      expectEqual(machine.received(event, random: 0), [])
    }
  }

  @Test func `a lost connection fails what cannot be repeated, and repeats the rest`() {
    var machine = ready(inFlight: 3)
    for (key, call) in [(1, send), (2, leave), (3, .loadMore(.messages(room), count: 1)), (4, get)] as [(UInt64, ChatCall)] {
      _ = machine.call(call, key: key, at: 0)
    }
    let lost = ChatSDK.ChatError(.connectionLost, "x")
    expectEqual(
      machine.ended(.broken("x"), random: 0.5),
      [.answer(2, .failure(.connectionLost)), .answer(3, .failure(.connectionLost)), .tell(.disconnected(lost)), .wait(1_000)])
    expectEqual(machine.ended(.broken("x"), random: 0.5), [], "once")
    expectEqual(machine.timeReached(), [.prepare])
    expectEqual(machine.notPrepared(.timedOut, random: 1), [.tell(.disconnected(.timedOut)), .wait(4_000)])
    _ = machine.timeReached()
    _ = machine.prepared(.token("u"))
    _ = machine.upgraded()
    _ = machine.received(greeting(inFlight: 3), random: 0)
    let opened = machine.received(.reply(5, .success(.session(session()))), random: 0)
    expectEqual(opened, [connected, text(send, 6), text(get, 7)])
    expectEqual(machine.ended(.closed(code: 1012, reason: ""), random: 1).last, .wait(2_000), "a session was there: from the start")
  }

  @Test func `what waits too long is given up`() {
    var machine = ready(inFlight: 1)
    _ = machine.call(get, key: 1, at: 0)
    _ = machine.call(send, key: 2, at: 50)
    _ = machine.call(leave, key: 3, at: 60)
    expectEqual(machine.tick(at: 99), [])
    expectEqual(machine.tick(at: 150), [.answer(1, .failure(.timedOut)), .answer(2, .failure(.timedOut)), text(leave, 3)])
    expectEqual(machine.received(.reply(2, .success(.chat(.conversation(nil)))), random: 0), [])
    for key in 10..<UInt64(10 + LinkMachine.maxQueued) { expectEqual(machine.call(get, key: key, at: 160), []) }
    guard case .answer(9, .failure(let full)) = machine.call(get, key: 9, at: 160).first else { return expect(false) }
    expectEqual(full.code, .limitExceeded)
  }

  @Test func `the gateway's wishes are followed`() {
    var machine = ready()
    expectEqual(machine.received(.goAway(reconnectAfterMs: 5_000), random: 0), [])
    expectEqual(machine.ended(.closed(code: 1012, reason: ""), random: 0).last, .wait(5_000))
    var other = ready()
    expectEqual(other.ended(.closed(code: 4200, reason: ""), random: 1).last, .wait(0))
    var strange = ready()
    expectEqual(strange.received(.malformed("x"), random: 0).first, .disconnect)
    let stops: [LinkEnd] = [.closed(code: 4003, reason: "revoked"), .refused(status: 403), .insecure("x"), .closed(code: 4001, reason: "")]
    for end in stops {
      var machine = ready()
      _ = machine.call(leave, key: 1, at: 0)
      let actions = machine.ended(end, random: 0)
      guard actions.count == 3, case .tell(.failed(let error)) = actions[2] else { return expect(false, "\(actions)") }
      expectEqual(Array(actions[..<2]), [.disconnect, .answer(1, .failure(.connectionLost))])
      expectEqual(machine.call(get, key: 2, at: 0), [.answer(2, .failure(error))])
      expectEqual(machine.close(), [])
      expectEqual(machine.ended(end, random: 0), [])
    }
  }

  @Test func `tokens are renewed before they expire and after, and a guest comes back by theirs`() {
    var machine = ready(canRenew: true)
    expectEqual(machine.received(.sessionExpiring(expiresAt: 1), random: 0), [.renewToken])
    expectEqual(machine.tokenCame("n"), [.send(ClientMessage.refreshSession(token: "n").encoded(id: 2))])
    expectEqual(machine.method(of: 2), .sessionRefresh)
    expectEqual(machine.received(.reply(2, .success(.refreshed(expiresAt: nil))), random: 0), [])
    expectEqual(machine.ended(.closed(code: 4001, reason: ""), random: 0).last, .wait(0))
    expectEqual(machine.tokenCame("n"), [], "too late")
    var guest = ready(token: "g")
    expectEqual(guest.guestToken, "g")
    expectEqual(guest.ended(.closed(code: 4001, reason: ""), random: 0).last, .wait(0))
  }

  @Test func `a session that is refused is tried again where that may help`() {
    for (kind, helps) in [(ChatErrorKind.unavailable, true), (.rateLimited, true), (.unauthenticated, false), (.forbidden, false)] {
      var machine = LinkMachine(callTimeoutMs: 100, canRenew: false)
      _ = machine.start()
      _ = machine.prepared(.guest(name: "Ada", id: nil))
      _ = machine.upgraded()
      _ = machine.received(greeting(), random: 0)
      let actions = machine.received(.reply(1, .failure(RPCError(.chat(kind), "no", retryAfterMs: 700))), random: 0)
      expectEqual(actions.first, .disconnect)
      let error = ChatSDK.ChatError(RPCError(.chat(kind), "no", retryAfterMs: 700))
      expectEqual(actions.last, helps ? .wait(700) : .tell(.failed(error)), "\(kind)")
    }
    var machine = LinkMachine(callTimeoutMs: 100, canRenew: false)
    _ = machine.start()
    let bad = ChatSDK.ChatError(.invalidParams)
    expectEqual(machine.notPrepared(bad, random: 0), [.disconnect, .tell(.failed(bad))])
    var open = ready()
    _ = open.call(get, key: 1, at: 0)
    expectEqual(open.close(), [.answer(1, .failure(.connectionLost)), .disconnect])
  }
}
