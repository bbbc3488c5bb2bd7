import ChatEngine
import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct SessionMachineTests {
  private static let ann = UserID(stored: "ann")
  private static let bob = UserID(stored: "bob")
  private static let general = ConversationID(stored: "general")

  private static func request(_ kind: Caller.Kind) -> SessionRequest {
    SessionRequest(user: ann, kind: kind, role: "reader", session: "s", expiresAt: 100)
  }

  private static func opening(_ kind: Caller.Kind = .user) -> SessionMachine {
    var machine = SessionMachine()
    machine.opening(request(kind))
    return machine
  }

  private static func open(_ kind: Caller.Kind = .user) -> SessionMachine {
    var machine = opening(kind)
    _ = machine.admitted(as: "reader", with: Permissions())
    return machine
  }

  private static func persisting() -> SessionMachine {
    var machine = open(.guest)
    _ = machine.requested(.chat(.inConversation(general, .markAsTyping)), actAs: nil)
    return machine
  }

  private static func closed() -> SessionMachine {
    var machine = open()
    machine.close()
    return machine
  }

  private static func caller(_ kind: Caller.Kind, _ user: UserID = ann) -> Caller {
    Caller(user: user, kind: kind, permissions: Permissions())
  }

  private static let requests: [ClientRequest] = [
    .ping, .openSession(.token("t")), .openSession(.guest(name: "n", id: bob)), .refreshSession(token: "t"), .closeSession,
    .listSessions(ann), .listSessions(bob), .revokeSessions(bob), .createConversation(general, NewConversation()),
    .chat(.inConversation(general, .get)), .chat(.onUser(ann, .get)), .chat(.markAllAsRead), .subscribe(TopicRequest(topic: .user(ann))),
    .unsubscribe(name: "user:ann", .user(ann)), .loadMore(name: "user:ann", .user(ann), count: nil),
  ]

  @Test func `every call in every state has its answer`() {
    typealias Disposition = SessionMachine.Disposition
    let first = Disposition.refuse(ChatError(.unauthenticated, "Open a session first"))
    let over = Disposition.refuse(ChatError(.unauthenticated, "The session is closed"))
    let twice = Disposition.refuse(ChatError(.conflict, "A session is open already"))
    let foreign = Disposition.refuse(ChatError(.forbidden, "You may see and end only your own sessions", field: "user"))
    let user = Disposition.perform(Self.caller(.user))
    let app = Disposition.perform(Self.caller(.app))
    let guest = Disposition.perform(Self.caller(.guest))
    let waits = [.answerPing] + [Disposition](repeating: .wait, count: Self.requests.count - 1)
    let tables: [(String, SessionMachine, [Disposition])] = [
      (
        "unauthenticated", SessionMachine(),
        [.answerPing, .verify(token: "t"), .makeGuest(name: "n", id: Self.bob)] + [Disposition](repeating: first, count: 12)
      ),
      ("opening", Self.opening(), waits),
      (
        "open", Self.open(),
        [.answerPing, twice, twice, .verifyRefresh(token: "t"), .closeSession, user, foreign, foreign]
          + [Disposition](repeating: user, count: 7)
      ),
      (
        "a backend", Self.open(.app),
        [.answerPing, twice, twice, .verifyRefresh(token: "t"), .closeSession, app, app, app] + [Disposition](repeating: app, count: 7)
      ),
      (
        "a new guest", Self.open(.guest),
        [
          .answerPing, twice, twice, .verifyRefresh(token: "t"), .closeSession, guest, foreign, foreign, .persistFirst, guest, guest,
          .persistFirst, guest, guest, guest,
        ]
      ),
      ("persisting", Self.persisting(), waits),
      ("closed", Self.closed(), [.answerPing] + [Disposition](repeating: over, count: Self.requests.count - 1)),
    ]
    for (name, machine, dispositions) in tables {
      expectEqual(dispositions.count, Self.requests.count, "\(name): the table")
      for (request, disposition) in zip(Self.requests, dispositions) {
        var machine = machine
        expectEqual(machine.requested(request, actAs: nil), disposition, "\(request) while \(name)")
      }
    }
  }

  @Test func `only a backend acts for others`() {
    for kind in [Caller.Kind.user, .bot, .guest] {
      var machine = Self.open(kind)
      expect(machine.requested(.ping, actAs: Self.bob) != .answerPing, "\(kind): not even a ping")
      expectEqual(
        machine.requested(.chat(.markAllAsRead), actAs: Self.bob),
        .refuse(ChatError(.forbidden, "Only a backend may act for another user", field: "actAs")), "\(kind)")
    }
    var machine = Self.open(.app)
    expectEqual(
      machine.requested(.chat(.markAllAsRead), actAs: Self.bob),
      .perform(Caller(user: Self.bob, kind: .app, permissions: Permissions(), isActing: true)), "a backend")
    expectEqual(machine.open?.caller, Self.caller(.app), "only for the call")
  }

  @Test func `a session opens, is refreshed and ends`() {
    var machine = SessionMachine()
    expect(machine.isUnauthenticated && machine.user == nil && machine.requestedRole == nil && machine.open == nil, "at first")
    expectEqual(machine.admitted(as: "reader", with: Permissions()), nil, "nobody asked")
    expectEqual(machine.refreshed(expiresAt: 5), nil, "nothing is open")
    machine.opening(Self.request(.user))
    expect(machine.isUnauthenticated, "opening")
    expectEqual(machine.user, Self.ann, "opening")
    expectEqual(machine.requestedRole, "reader", "opening")
    var open = SessionMachine.Open(
      caller: Self.caller(.user), session: "s", role: "reader", isRoleOfToken: true, expiresAt: 100, isProvisional: false)
    expectEqual(machine.admitted(as: "reader", with: Permissions()), open, "admitted")
    expectEqual(machine.admitted(as: "reader", with: Permissions()), nil, "once")
    expect(!machine.isUnauthenticated && machine.requestedRole == nil, "open")
    expectEqual(machine.user, Self.ann, "open")
    open.expiresAt = 200
    expectEqual(machine.refreshed(expiresAt: 200), open, "refreshed")
    expectEqual(machine.open, open, "refreshed")
    machine.opening(Self.request(.app))
    machine.persisted(true)
    machine.openingFailed()
    expect(!machine.tokenRefused(), "no token is asked for")
    expectEqual(machine.open, open, "what belongs to other states changes nothing")
    machine.close()
    expect(machine.open == nil && machine.user == nil && !machine.isUnauthenticated, "closed")
    expect(!machine.tokenRefused(), "closed")
    expectEqual(machine.refreshed(expiresAt: 1), nil, "closed")
    machine.opening(Self.request(.user))
    expectEqual(machine.user, nil, "closed for good")
  }

  @Test func `a session is extended only by a token with which it would be the same`() {
    let cases: [(String, UserID, Caller.Kind, role: String?, isRoleOfToken: Bool, String?)] = [
      ("the same role", Self.ann, .user, "reader", true, nil), ("the user's own role", Self.ann, .user, nil, false, nil),
      ("the user's own role by name", Self.ann, .user, "reader", false, nil),
      ("another user", Self.bob, .user, "reader", true, "another user's"),
      ("a backend", Self.ann, .app, "reader", true, "tokenType"), ("another role", Self.ann, .user, "admin", true, "role"),
      ("no role", Self.ann, .user, nil, true, "role"), ("a role of its own", Self.ann, .user, "admin", false, "role"),
    ]
    for (name, user, kind, role, isRoleOfToken, part) in cases {
      let open = SessionMachine.Open(
        caller: Self.caller(.user), session: "s", role: "reader", isRoleOfToken: isRoleOfToken, expiresAt: nil, isProvisional: false)
      let error = open.refusal(ofRefreshBy: SessionRequest(user: user, kind: kind, role: role, session: "t"))
      expectEqual(error?.kind, part.map { _ in .forbidden }, name)
      expectEqual(error?.field, part.map { _ in "token" }, name)
      expect(part.map { error?.message.contains($0) == true } ?? true, "\(name): \(error?.message ?? "")")
    }
  }

  @Test func `the fifth bad token is one too many, a failure of ours is none`() {
    var machine = SessionMachine()
    for attempt in 1..<SessionMachine.maxFailures {
      if attempt.isMultiple(of: 2) { machine.opening(Self.request(.user)) }
      expect(!machine.tokenRefused(), "\(attempt)")
      machine.opening(Self.request(.user))
      machine.openingFailed()
      expect(machine.isUnauthenticated && machine.user == nil, "\(attempt): as before")
    }
    expect(machine.tokenRefused(), "the fifth")
    let refused = SessionMachine.Disposition.refuse(ChatError(.unauthenticated, "The session is closed"))
    expectEqual(machine.requested(.openSession(.token("good")), actAs: nil), refused, "the sixth is not looked at")
  }

  @Test func `a guest is written before the first change, and again after a failure`() {
    var machine = Self.persisting()
    expectEqual(machine.user, Self.ann, "persisting")
    expectEqual(machine.refreshed(expiresAt: 7)?.expiresAt, 7, "a refresh meanwhile")
    machine.persisted(false)
    expectEqual(machine.open?.isProvisional, true, "not written")
    expectEqual(machine.open?.expiresAt, 7, "the refresh holds")
    let change = ClientRequest.chat(.onUser(Self.ann, .set(UserPatch())))
    expectEqual(machine.requested(change, actAs: nil), .persistFirst, "again")
    machine.persisted(true)
    expectEqual(machine.requested(change, actAs: nil), .perform(Self.caller(.guest)), "written")
  }

  @Test func `reading changes nothing, everything else does`() {
    let message = MessageID(1, in: Self.general)
    let reading: [ConversationOperation] = [
      .get, .history(HistoryRange(start: .newest, limit: 10)), .getMessage(message), .getParticipant(Self.ann),
      .listRestrictions(UserRange(limit: 1)), .listReports(ReportRange(limit: 1)), .listInvitees(UserRange(limit: 1)),
    ]
    let writing: [ConversationOperation] = [
      .delete, .markAsRead(upTo: nil), .markAsUnread, .markAsTyping, .startTyping, .stopTyping, .deleteMessage(message),
      .deleteParticipant(Self.ann), .restrict(Self.ann, Restriction()), .report(message, reason: "r"), .dismissReports(message),
      .invite([Self.ann]),
    ]
    for operation in reading { expect(!ClientRequest.chat(.inConversation(Self.general, operation)).changesSomething, "\(operation)") }
    for operation in writing { expect(ClientRequest.chat(.inConversation(Self.general, operation)).changesSomething, "\(operation)") }
    expect(ClientRequest.createConversation(nil, NewConversation()).changesSomething, "a conversation")
    expect(ClientRequest.chat(.onSelf(.unregisterDevice("t"))).changesSomething, "a device")
    for request in [ClientRequest.ping, .closeSession, .subscribe(TopicRequest(topic: .user(Self.ann)))] {
      expect(!request.changesSomething, "\(request)")
    }
  }
}
