import ChatModel
import GatewayProtocol
import JSON
import TestSupport
import Testing

@Suite struct ServerMessageTests {
  @Test func `replies are the objects of the documentation`() throws {
    let all = try Snapshots()
    let session = SessionInfo(session: "s1", user: all.bob, role: "default", expiresAt: 99)
    let guest = SessionInfo(session: "s2", user: all.bob, role: "default", expiresAt: nil, token: "t")
    let first = SessionSummary(session: "s1", kind: .user, role: "admin", openedAt: 5, expiresAt: 9, isCurrent: true)
    let second = SessionSummary(session: "s2", kind: .app, role: "default", openedAt: 6, expiresAt: nil, isCurrent: false)
    let ban = RestrictionSnapshot(
      user: all.bob, record: RestrictionRecord(user: all.bob.id, isBanned: true, isMuted: false, reason: "r", setBy: all.ada.id, setAt: 5))
    let report = ReportSnapshot(
      record: ReportRecord(revision: 9, message: 7, sender: nil, text: "t", reporter: all.bob.id, reason: "r", reportedAt: 6),
      in: try ConversationID("room"), sender: nil, reporter: all.bob)
    let invitation = InvitationRecord(user: all.bob.id, invitedBy: all.ada.id, invitedAt: 3)
    let cases: [(CallResult, String)] = [
      (.pong(time: 1_900_000_000_000), #"{"time":1900000000000}"#), (.done, "{}"),
      (.fileToken(FileToken(text: "t", expiresAt: 5)), #"{"token":"t","expiresAt":5}"#),
      (.session(session), #"{"session":"s1","user":\#(Snapshots.bobJSON),"role":"default","expiresAt":99}"#),
      (.session(guest), #"{"session":"s2","user":\#(Snapshots.bobJSON),"role":"default","expiresAt":null,"token":"t"}"#),
      (.refreshed(expiresAt: 7), #"{"expiresAt":7}"#), (.refreshed(expiresAt: nil), #"{"expiresAt":null}"#),
      (.sessions([]), #"{"sessions":[]}"#),
      (
        .sessions([first, second]),
        #"{"sessions":[{"session":"s1","kind":"user","role":"admin","openedAt":5,"expiresAt":9,"isCurrent":true},"#
          + #"{"session":"s2","kind":"app","role":"default","openedAt":6,"expiresAt":null,"isCurrent":false}]}"#
      ),
      (.revoked(2), #"{"revoked":2}"#), (.subscription(topic: "messages:a", .pending), #"{"topic":"messages:a","state":"pending"}"#),
      (.subscription(topic: "conversations#\"", .unsubscribed), #"{"topic":"conversations#\"","state":"unsubscribed"}"#),
      (.chat(.conversation(nil)), #"{"conversation":null}"#),
      (.chat(.conversation(all.conversation)), #"{"conversation":\#(all.conversationJSON)}"#),
      (.chat(.created(all.bare, isNew: true)), #"{"conversation":\#(Snapshots.bareJSON),"created":true}"#),
      (.chat(.sent(all.message, isDuplicate: false)), #"{"message":\#(all.messageJSON),"duplicate":false}"#),
      (.chat(.sent(nil, isDuplicate: true)), #"{"message":null,"duplicate":true}"#),
      (.chat(.history([], loadedAll: true)), #"{"messages":[],"loadedAll":true}"#),
      (
        .chat(.history([all.system, all.message], loadedAll: false)),
        #"{"messages":[\#(all.systemJSON),\#(all.messageJSON)],"loadedAll":false}"#
      ),
      (.chat(.message(all.message)), #"{"message":\#(all.messageJSON)}"#), (.chat(.message(nil)), #"{"message":null}"#),
      (.chat(.participant(all.participant)), #"{"participant":\#(Snapshots.participantJSON)}"#),
      (.chat(.participant(nil)), #"{"participant":null}"#), (.chat(.user(all.ada)), #"{"user":\#(Snapshots.adaJSON)}"#),
      (
        .chat(.restrictions([ban], loadedAll: false)),
        #"{"restrictions":[{"user":\#(Snapshots.bobJSON),"ban":true,"mute":false,"reason":"r","setBy":"ada","setAt":5}],"loadedAll":false}"#
      ),
      (
        .chat(.reports([report], loadedAll: true)),
        #"{"reports":[{"id":"\#(report.id)","conversation":"room","message":"\#(report.message)","sender":null,"text":"t","reporter":\#(Snapshots.bobJSON),"#
          + #""reason":"r","reportedAt":6}],"loadedAll":true}"#
      ),
      (
        .chat(.invited([.participant(all.participant), .pending(all.bob, .read)])),
        #"{"participants":[\#(Snapshots.participantJSON),{"user":\#(Snapshots.bobJSON),"access":"Read","notify":true,"joinedAt":null}]}"#
      ),
      (
        .chat(.invitees([InviteeSnapshot(user: all.bob, record: invitation)], loadedAll: false)),
        #"{"invitees":[{"user":\#(Snapshots.bobJSON),"invitedBy":"ada","invitedAt":3}],"loadedAll":false}"#
      ), (.chat(.restrictions([], loadedAll: true)), #"{"restrictions":[],"loadedAll":true}"#),
      (.chat(.present([], count: 3, loadedAll: false)), #"{"users":[],"count":3,"loadedAll":false}"#),
      (.chat(.muted([UserID(stored: "ada")])), #"{"users":["ada"]}"#),
      (.chat(.conversations([ConversationID(stored: "a\"")])), #"{"conversations":["a\""]}"#),
      (.chat(.user(nil)), #"{"user":null}"#), (.chat(.count(4)), #"{"count":4}"#), (.chat(.loadedAll(true)), #"{"loadedAll":true}"#),
    ]
    for (result, json) in cases {
      try expectText(ServerMessage(to: RequestID(5), .success(result)), #"{"jsonrpc":"2.0","id":5,"result":\#(json)}"#)
    }
    try expectText(ServerMessage(to: .null, .success(ChatReply.done)), #"{"jsonrpc":"2.0","id":null,"result":{}}"#)
    expectEqual(ServerMessage(to: RequestID(1), .failure(ChatError.readOnly)), .failure(RequestID(1), RPCError(.readOnly)))
    expectEqual(
      ServerMessage(to: RequestID(1), Result<CallResult, RPCError>.failure(.methodNotFound)), .failure(RequestID(1), .methodNotFound))
  }

  @Test func `snapshots of every topic are told whole`() throws {
    let all = try Snapshots()
    let room = try ConversationID("room")
    var hall = ConversationRecord(id: room, type: .public, pair: nil, createdAt: 1)
    hall.subject = "S"
    let users = Array(repeating: all.bob, count: TypingSnapshot.maxNamed)
    let usersJSON = Array(repeating: Snapshots.bobJSON, count: users.count).joined(separator: ",")
    let cases: [(Topic, TopicSnapshot, String)] = [
      (.conversation(room), .conversation(nil), #""conversation:room","state":"active","snapshot":null"#),
      (.conversation(room), .conversation(all.bare), #""conversation:room","state":"active","snapshot":\#(Snapshots.bareJSON)"#),
      (.messages(room), .messages(nil, loadedAll: true), #""messages:room","state":"active","snapshot":null,"loadedAll":true"#),
      (.messages(room), .messages([], loadedAll: false), #""messages:room","state":"active","snapshot":[],"loadedAll":false"#),
      (
        .messages(room), .messages([all.system, all.message], loadedAll: true),
        #""messages:room","state":"active","snapshot":[\#(all.systemJSON),\#(all.messageJSON)],"loadedAll":true"#
      ),
      (
        .participants(room), .participants([all.participant], loadedAll: true),
        #""participants:room","state":"active","snapshot":[\#(Snapshots.participantJSON)],"loadedAll":true"#
      ),
      (
        .participants(room), .participants(nil, loadedAll: false),
        #""participants:room","state":"active","snapshot":null,"loadedAll":false"#
      ),
      (.typing(room), .typing(nil), #""typing:room","state":"active","snapshot":null"#),
      (.typing(room), .typing(.few([])), #""typing:room","state":"active","snapshot":{"many":false,"users":[]}"#),
      (.typing(room), .typing(.few(users)), #""typing:room","state":"active","snapshot":{"many":false,"users":[\#(usersJSON)]}"#),
      (.typing(room), .typing(.many), #""typing:room","state":"active","snapshot":{"many":true,"users":null}"#),
      (
        .conversations(label: nil), .conversations([all.conversation, all.bare], loadedAll: false),
        #""conversations","state":"active","snapshot":[\#(all.conversationJSON),\#(Snapshots.bareJSON)],"loadedAll":false"#
      ),
      (
        .conversations(label: "é"), .conversations([], loadedAll: true),
        #""conversations#é","state":"active","snapshot":[],"loadedAll":true"#
      ),
      (
        .invitations, .invitations([InvitationSnapshot(record: hall, invitedBy: all.bob, invitedAt: 3)]),
        #""invitations","state":"active","snapshot":[{"conversation":"room","type":"public","subject":"S","photoUrl":null,"#
          + #""invitedBy":\#(Snapshots.bobJSON),"invitedAt":3}]"#
      ), (.invitations, .invitations([]), #""invitations","state":"active","snapshot":[]"#),
      (.user(all.ada.id), .user(all.ada), #""user:ada","state":"active","snapshot":\#(Snapshots.adaJSON)"#),
      (.user(all.ada.id), .user(nil), #""user:ada","state":"active","snapshot":null"#),
      (
        .online(all.bob.id), .online(OnlineSnapshot(user: all.bob, isConnected: true)),
        #""online:bob","state":"active","snapshot":{"user":\#(Snapshots.bobJSON),"isConnected":true}"#
      ),
      (.online(all.bob.id), .online(nil), #""online:bob","state":"active","snapshot":null"#),
    ]
    for (topic, snapshot, json) in cases {
      let expected = #"{"jsonrpc":"2.0","method":"subscription","params":{"topic":\#(json)}}"#
      expectEqual(String(decoding: ServerMessage.encodedSubscription(topic, snapshot), as: UTF8.self), expected)
      _ = try JSONTree(parsing: expected)
    }
  }

  @Test func `the other notifications are told as documented`() throws {
    let all = try Snapshots()
    let error = RPCError(.chat(.internal), "Broken")
    let errorJSON = #"{"code":-32603,"message":"Broken","data":{"key":"internalError","temporary":false}}"#
    let cases: [(ServerNotification, String)] = [
      (
        .unsubscribed(topic: "user:a", .overloaded),
        #""subscription","params":{"topic":"user:a","state":"unsubscribed","reason":"overloaded"}"#
      ),
      (
        .failed(topic: "user:a", error), #""subscription","params":{"topic":"user:a","state":"error","error":\#(errorJSON)}"#
      ),
      (.sessionExpiring(expiresAt: 5), #""session.expiring","params":{"expiresAt":5}"#),
      (
        .goAway(.restart, reconnectAfterMs: 10, deadlineMs: 20),
        #""goAway","params":{"reason":"restart","reconnectAfterMs":10,"deadlineMs":20}"#
      ),
      (.hello(Self.hello(.required)), helloJSON(#""auth":"required""#)), (.hello(Self.hello(.guest)), helloJSON(#""auth":"guest""#)),
      (
        .hello(Self.hello(.done(SessionInfo(session: "s", user: all.bob, role: "r", expiresAt: nil)))),
        helloJSON(#""auth":"done","session":{"session":"s","user":\#(Snapshots.bobJSON),"role":"r","expiresAt":null}"#)
      ),
    ]
    for (notification, json) in cases { try expectText(.notification(notification), #"{"jsonrpc":"2.0","method":\#(json)}"#) }
  }

  @Test func `what tells about a session is secret, and nothing else`() throws {
    let info = SessionInfo(session: "s", user: try Snapshots().bob, role: "r", expiresAt: nil, token: "t")
    let cases: [(ServerMessage, Bool)] = [
      (.reply(RequestID(1), .session(info)), true), (.notification(.hello(Self.hello(.done(info)))), true),
      (.notification(.hello(Self.hello(.guest))), false), (.notification(.hello(Self.hello(.required))), false),
      (.reply(RequestID(1), .done), false),
      (.failure(.null, .methodNotFound), false), (.notification(.sessionExpiring(expiresAt: 5)), false),
    ]
    for (message, isSecret) in cases { expectEqual(message.isSecret, isSecret, "\(message)") }
  }

  @Test func `the answers of a batch are one array or nothing`() {
    let reply = ServerMessage.reply(RequestID(1), .done).encoded
    let cases: [([[UInt8]], String?)] = [
      ([], nil), ([reply], #"[{"jsonrpc":"2.0","id":1,"result":{}}]"#),
      ([reply, reply], #"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]"#),
    ]
    for (replies, expected) in cases { expectEqual(ServerMessage.batch(of: replies).map { String(decoding: $0, as: UTF8.self) }, expected) }
  }

  static func hello(_ auth: Hello.Auth) -> Hello {
    let limits = Hello.Limits(
      calls: CallLimits(maxMessageBytes: 1, maxTextLength: 2, maxBatch: 3), maxSubscriptions: 4, operationsPerSecond: 5,
      operationsBurst: 9, chat: ChatSettings(), maxFragments: 10, maxInFlight: 11, outboundBytes: 12, inflatedBytesPerSecond: 13)
    return Hello(
      server: Hello.Server(name: "parley", version: "1.0"), connection: "c1", time: 8, heartbeatMs: 6, graceMs: 7, auth: auth,
      limits: limits)
  }

  private func helloJSON(_ auth: String) -> String {
    #""hello","params":{"protocol":"parley.v1","server":{"name":"parley","version":"1.0"},"connection":"c1","time":8,"heartbeatMs":6,"#
      + #""graceMs":7,\#(auth),"limits":{"maxMessageBytes":1,"maxTextLength":2,"maxSubscriptions":4,"maxBatch":3,"#
      + #""operationsPerSecond":5,"pages":{"messages":{"initial":10,"max":100,"default":30},"#
      + #""participants":{"initial":10,"max":50,"default":10},"conversations":{"initial":20,"max":30,"default":20}},"#
      + #""operationsBurst":9,"connectionsPerUser":50,"maxFragments":10,"maxInFlight":11,"maxJSONDepth":64,"outboundBytes":12,"#
      + #""inflatedBytesPerSecond":13}}"#
  }

  private func expectText(_ message: ServerMessage, _ expected: String) throws {
    expectEqual(String(decoding: message.encoded, as: UTF8.self), expected)
    // What is expected is JSON, and compact.
    expectEqual(String(decoding: try JSONTree(parsing: expected).encoded, as: UTF8.self), expected)
  }
}
