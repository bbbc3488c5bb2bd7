import ChatModel
import GatewayProtocol
import TestSupport
import Testing

/// What the gateway writes is what a client reads.
@Suite struct ServerMessageDecoderTests {
  @Test func `every reply is read as what was written`() throws {
    let all = try Snapshots()
    let session = SessionInfo(session: "s1", user: all.ada, role: "default", expiresAt: 99, token: "t")
    let summary = SessionSummary(session: "s1", kind: .user, role: "admin", openedAt: 5, expiresAt: nil, isCurrent: true)
    let message = CallResult.chat(.message(all.message))
    let participant = CallResult.chat(.participant(all.participant))
    let conversation = CallResult.chat(.conversation(all.conversation))
    let ban = RestrictionSnapshot(
      user: all.bob, record: RestrictionRecord(user: all.bob.id, isBanned: true, isMuted: false, reason: "r", setBy: all.ada.id, setAt: 5))
    let record = ReportRecord(revision: 9, message: 7, sender: all.ada.id, text: "t", reporter: all.bob.id, reason: "r", reportedAt: 6)
    let report = ReportSnapshot(record: record, in: try ConversationID("room"), sender: all.ada, reporter: all.bob)
    let invitee = InviteeSnapshot(user: all.bob, invitedBy: all.ada.id, invitedAt: 3)
    let cases: [(Method, [CallResult])] = [
      (.conversationReport, [.done]), (.moderationDismiss, [.done]), (.moderationReports, [.chat(.reports([report], loadedAll: true))]),
      (.conversationInvite, [.chat(.invited([.participant(all.participant), .pending(all.bob, .read)]))]),
      (.conversationInvitees, [.chat(.invitees([invitee], loadedAll: false))]),
      (.conversationPin, [conversation]), (.conversationUnpin, [conversation]), (.messageAddReaction, [message]),
      (.messageThread, [conversation]),
      (.messageRemoveReaction, [message]), (.pushRegister, [.done]), (.pushUnregister, [.done]), (.moderationSet, [.done]),
      (.moderationList, [.chat(.restrictions([ban], loadedAll: false))]),
      (.presenceHere, [.chat(.present([all.bob], count: 3, loadedAll: false))]),
      (.userMuted, [.chat(.muted([all.ada.id])), .chat(.muted([]))]), (.userMute, [.done]), (.userUnmute, [.done]),
      (.presenceWhere, [.chat(.conversations([ConversationID(stored: "a")]))]),
      (.ping, [.pong(time: 7)]), (.sessionOpen, [.session(session)]), (.sessionClose, [.done]),
      (.sessionRefresh, [.refreshed(expiresAt: 7), .refreshed(expiresAt: nil)]), (.sessionList, [.sessions([summary])]),
      (.sessionRevoke, [.revoked(2)]), (.fileToken, [.fileToken(FileToken(text: "t", expiresAt: 5))]),
      (.subscribe, [.subscription(topic: "messages:a", .pending)]),
      (.unsubscribe, [.subscription(topic: "messages:a", .unsubscribed)]), (.loadMore, [.chat(.loadedAll(true))]),
      (.conversationCreateIfNotExists, [.chat(.created(all.bare, isNew: true))]), (.conversationSet, [conversation]),
      (.conversationDeleteFields, [conversation]), (.conversationGet, [conversation, .chat(.conversation(nil))]),
      (.conversationDelete, [.done]), (.conversationMarkAsRead, [conversation]), (.conversationMarkAsUnread, [conversation]),
      (.conversationSend, [.chat(.sent(all.message, isDuplicate: false)), .chat(.sent(nil, isDuplicate: true))]),
      (.conversationHistory, [.chat(.history([all.system, all.message], loadedAll: false))]),
      (.conversationMarkAllAsRead, [.chat(.count(4))]), (.conversationMarkAsTyping, [.done]), (.conversationStartTyping, [.done]),
      (.conversationStopTyping, [.done]), (.messageGet, [message, .chat(.message(nil))]), (.messageEdit, [message]),
      (.messageDelete, [.done]), (.messageDeleteFields, [message]), (.participantGet, [participant, .chat(.participant(nil))]),
      (.participantCreateIfNotExists, [participant]), (.participantSet, [participant]), (.participantEdit, [participant]),
      (.participantDelete, [.done]), (.participantDeleteFields, [participant]), (.userGet, [.chat(.user(all.ada)), .chat(.user(nil))]),
      (.userCreateIfNotExists, [.chat(.user(all.bob))]), (.userSet, [.chat(.user(all.bob))]), (.userDeleteFields, [.chat(.user(all.bob))]),
    ]
    for (method, results) in cases {
      for result in results {
        let text = ServerMessage.reply(RequestID(5), result).encoded
        expectEqual(try decoded(text, 5, method), .reply(5, .success(result)), method.name)
        expectEqual(try decoded(text, 6, method), .ignored)
      }
    }
    expectEqual(Set(cases.map(\.0)), Set(Method.allCases))
  }

  @Test func `errors are read by their codes`() throws {
    for kind in RPCErrorKind.allCases {
      let error = RPCError(
        kind, "Why", field: kind.isTemporary ? "f" : nil, retryAfterMs: kind.isTemporary ? 5 : nil, reason: kind.isTemporary ? nil : "r")
      expectEqual(try decoded(ServerMessage.failure(RequestID(1), error).encoded, 1, .ping), .reply(1, .failure(error)))
      expectEqual(try decoded(ServerMessage.failure(.null, error).encoded, 1, .ping), .refused(error))
    }
    let later = #"{"jsonrpc":"2.0","id":1,"error":{"code":777,"message":"New","data":{"key":"new","x":1}}}"#
    expectEqual(try decoded(Array(later.utf8), 1, .ping), .reply(1, .failure(RPCError(.chat(.internal), "New"))))
  }

  @Test func `every notification is read as what was written`() throws {
    let all = try Snapshots()
    let room = try ConversationID("room")
    let snapshots: [(Topic, TopicSnapshot)] = [
      (.conversation(room), .conversation(nil)), (.conversation(room), .conversation(all.conversation)),
      (.messages(room), .messages(nil, loadedAll: true)), (.messages(room), .messages([all.system, all.message], loadedAll: false)),
      (.participants(room), .participants([all.participant], loadedAll: true)), (.participants(room), .participants(nil, loadedAll: true)),
      (.typing(room), .typing(nil)), (.typing(room), .typing(.few([all.ada, all.bob]))), (.typing(room), .typing(.many)),
      (.invitations, .invitations([])),
      (
        .invitations,
        .invitations([
          InvitationSnapshot(conversation: room, type: .public, subject: "S", photoUrl: nil, invitedBy: all.bob, invitedAt: 3)
        ])
      ),
      (.conversations(label: "é"), .conversations([all.conversation, all.bare], loadedAll: false)), (.user(all.ada.id), .user(all.ada)),
      (.user(all.ada.id), .user(nil)), (.online(all.bob.id), .online(OnlineSnapshot(user: all.bob, isConnected: true))),
      (.online(all.bob.id), .online(nil)),
    ]
    for (topic, snapshot) in snapshots {
      expectEqual(try decoded(ServerMessage.encodedSubscription(topic, snapshot)), .snapshot(topic, snapshot))
    }
    let error = RPCError(.chat(.internal), "Broken")
    let info = SessionInfo(session: "s", user: all.bob, role: "r", expiresAt: nil)
    let others: [(ServerNotification, ServerEvent)] = [
      (.unsubscribed(topic: "user:a", .overloaded), .ended(.user(try UserID("a")), nil)),
      (.failed(topic: "user:a", error), .ended(.user(try UserID("a")), error)),
      (.sessionExpiring(expiresAt: 5), .sessionExpiring(expiresAt: 5)),
      (.goAway(.restart, reconnectAfterMs: 10, deadlineMs: 20), .goAway(reconnectAfterMs: 10)),
      (.hello(ServerMessageTests.hello(.required)), .hello(greeting(.required))),
      (.hello(ServerMessageTests.hello(.guest)), .hello(greeting(.guest))),
      (.hello(ServerMessageTests.hello(.done(info))), .hello(greeting(.done(info)))),
    ]
    for (notification, event) in others { expectEqual(try decoded(ServerMessage.notification(notification).encoded), event) }
  }

  private static let files: [ContentBlock] = {
    let image = FileDetails(filename: "a\"", size: 5, mediaType: .unknown, kind: .image, width: 1, height: 2, durationMs: 1_250)
    return [image, FileDetails(filename: "b", size: 0, mediaType: .unknown)].map { .file(FileBlock(FileID(stored: "t"), $0)) }
  }()

  @Test func `every kind of content is read as what was written, and unknown blocks are left out`() throws {
    let all = try Snapshots()
    let inner: [TextNode] = [.plain("x")]
    let member = UnknownNode.Member(key: "k", value: #"{"a":[1,null]}"#)
    let nodes: [TextNode] =
      inner + TextNode.Style.allCases.map { .styled($0, inner) } + TextNode.Literal.allCases.map { .literal($0, "l") } + [
        .codeBlock("c", language: "swift"), .codeBlock("c", language: nil), .link(url: "https://x", inner),
        .autoLink(url: "https://x", text: "x"),
        .action(TextNode.Action(kind: .link, name: "n", params: CustomFields([("k", "v")])), inner),
        .action(TextNode.Action(kind: .button, name: "n", params: CustomFields()), inner), .mention(all.ada.id, text: "Ada"),
        .unknown(UnknownNode(type: "new", text: "t", children: inner, members: [member])),
        .unknown(UnknownNode(type: "new", text: nil, children: nil, members: [])),
      ]
    var message = all.message
    message.content = [.text(nodes), .location(Location(latitude: 1.5, longitude: -2))] + Self.files
    let topic = Topic.messages(message.conversation)
    let text = ServerMessage.encodedSubscription(topic, .messages([message], loadedAll: true))
    expectEqual(try decoded(text), .snapshot(topic, .messages([message], loadedAll: true)))
    let later = String(decoding: text, as: UTF8.self).replacing(#""type":"location""#, with: #""type":"later""#)
    message.content = [.text(nodes)] + Self.files
    expectEqual(try decoded(Array(later.utf8)), .snapshot(topic, .messages([message], loadedAll: true)))
    for (bad, name) in [
      (#"{"type":"text","children":[7]}"#, "type"), (#"{"type":"text","children":7}"#, "children"),
      (#"{"type":"location","latitude":"1","longitude":1}"#, "latitude"), ("7", "type"),
    ] {
      let text = subscription(#""topic":"messages:room","state":"active","snapshot":[\#(all.systemJSON)],"loadedAll":true"#)
        .replacing(#"{"type":"text","children":["joined"]}"#, with: bad)
      expectEqual(try decoded(Array(text.utf8)), .malformed("\(name) is missing, or of another type"))
    }
  }

  @Test func `what is not known is passed over, and what is wrong is told`() throws {
    let cases: [(String, ServerEvent)] = [
      ("{", .malformed("The text is not valid JSON.")), ("{}", .malformed("method is missing, or of another type")),
      ("[]", .malformed("method is missing, or of another type")), (#"{"method":"later","params":{}}"#, .ignored),
      (#"{"method":7,"params":{}}"#, .malformed("method is missing, or of another type")),
      (#"{"method":"goAway"}"#, .malformed("params is missing, or of another type")),
      (#"{"id":1.5,"result":{}}"#, .malformed("id is missing, or of another type")),
      (#"{"id":1}"#, .malformed("result is missing, or of another type")), (#"{"id":2,"result":7}"#, .ignored),
      (#"{"id":1,"result":{"time":"x"}}"#, .malformed("time is missing, or of another type")),
      (#"{"method":"goAway","params":{"reconnectAfterMs":-1}}"#, .malformed("reconnectAfterMs is missing, or of another type")),
      (subscription(#""topic":"x:y","state":"active""#), .malformed("topic is missing, or of another type")),
      (subscription(#""topic":7,"state":"active""#), .malformed("topic is missing, or of another type")),
      (subscription(#""topic":"user:a","state":"half""#), .malformed("state is missing, or of another type")),
      (subscription(#""topic":"user:a","state":"pending""#), .ignored),
      (
        subscription(#""topic":"messages:a","state":"active","snapshot":{},"loadedAll":true"#),
        .malformed("snapshot is missing, or of another type")
      ),
      (subscription(#""topic":"typing:a","state":"active","snapshot":{"many":0}"#), .malformed("many is missing, or of another type")),
      (
        #"{"method":"hello","params":{"auth":"x","limits":{},"heartbeatMs":1,"graceMs":1}}"#,
        .malformed("auth is missing, or of another type")
      ),
    ]
    for (text, event) in cases { expectEqual(try decoded(Array(text.utf8), 1, .ping), event, text) }
    var user = Snapshots.bobJSON
    for (member, bad) in [("\"custom\":{}", "\"custom\":[]"), ("\"custom\":[]", "\"custom\":{\"a\":1}")] {
      user = user.replacing(member, with: bad)
      let text = subscription(#""topic":"user:bob","state":"active","snapshot":\#(user)"#)
      expectEqual(try decoded(Array(text.utf8)), .malformed("custom is missing, or of another type"))
    }
    let all = try Snapshots()
    for (good, bad, name) in [
      (#""access":"Read""#, #""access":"Sing""#, "access"),
      (#""notify":"MentionsOnly""#, #""notify":"x""#, "notify"),
    ] {
      let text = subscription(
        #""topic":"conversation:room","state":"active","snapshot":\#(all.conversationJSON.replacing(good, with: bad))"#)
      expectEqual(try decoded(Array(text.utf8)), .malformed("\(name) is missing, or of another type"))
    }
    expect(ServerMessageDecoder(maxMessageBytes: 0) == nil)
  }

  private func subscription(_ params: String) -> String { #"{"method":"subscription","params":{\#(params)}}"# }

  private func greeting(_ auth: Greeting.Auth) -> Greeting {
    Greeting(auth: auth, heartbeatMs: 6, graceMs: 7, maxMessageBytes: 1, maxInFlight: 11)
  }

  private func decoded(_ text: [UInt8], _ id: Int64 = 1, _ method: Method = .ping) throws -> ServerEvent {
    try #require(ServerMessageDecoder(maxMessageBytes: 1 << 20)).decode(text) { $0 == id ? method : nil }
  }
}
