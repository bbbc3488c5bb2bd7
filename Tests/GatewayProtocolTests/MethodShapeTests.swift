import ChatModel
import GatewayProtocol
import TestSupport
import Testing

/// What the params of each method become, and what becomes of wrong ones.
@Suite struct MethodShapeTests {
  @Test func `every method makes its request`() throws {
    let frames = try Frames()
    for (method, cases) in try Self.requests() {
      for (params, request) in cases {
        expectEqual(try frames.call(method.name, params).request, .success(request), "\(method.name) \(params)")
        expectEqual(try frames.call(method.name, params).method, method, method.name)
      }
    }
    expectEqual(Set(try Self.requests().map { $0.0 }), Set(Method.allCases), "all methods have a case")
  }

  @Test func `a value of the wrong kind names its parameter`() throws {
    let frames = try Frames()
    let values = [
      "null": "null", "bool": "true", "negative": "-1", "large": "1e308", "beyond": "9007199254740993", "empty": #""""#, "array": "[]",
      "object": "{}", "huge": "\"" + String(repeating: "x", count: 1 << 20) + "\"", "proto": #"{"__proto__":null}"#, "nested": "[[[]]]",
    ]
    for method in Method.allCases {
      let sample = Samples.params(of: method)
      for name in sample.map(\.name) + ["actAs", "unknown", "__proto__"] {
        for (kind, value) in values {
          let params = sample.filter { !Samples.isReplaced($0.name, by: name) } + [(name, value)]
          let text = "{" + params.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
          let result = try frames.refusal(method.name, text)
          guard !Samples.accepts(kind, name, in: method) else {
            expectEqual(result, "ok", "\(method.name) \(name) \(kind)")
            continue
          }
          let expected = ["-32602", "107"].map { "\($0) \(Samples.blamed(name, kind))" }
          expect(expected.contains(result), "\(method.name) \(name) \(kind): \(result)")
        }
      }
    }
  }

  @Test func `unknown parameters are named before all others`() throws {
    let frames = try Frames()
    let long = String(repeating: "ж", count: 70)
    let cases: [(method: String, params: String, refusal: String)] = [
      ("user.get", "{}", "-32602 user"), ("user.get", #"{"x":1}"#, "-32602 x"), ("user.get", #"{"user":7,"x":1}"#, "-32602 x"),
      ("user.get", #"{"user":7,"actAs":8}"#, "-32602 actAs"), ("user.get", #"{"\#(long)":1}"#, "-32602 \(long.prefix(64))…"),
      ("ping", #"{"x":1}"#, "-32602 x"), ("ping", #"{"actAs":"a:b"}"#, "-32602 actAs"), ("ping", #"{"actAs":null}"#, "ok"),
      ("conversation.send", #"{"text":"a","Text":"b"}"#, "-32602 Text"), ("conversation.send", #"{"text":"a"}"#, "-32602 conversation"),
      ("conversation.send", #"{"conversation":"c"}"#, "-32602 text"),
      ("conversation.send", #"{"conversation":"c","text":"a","content":[{"type":"text","children":["a"]}]}"#, "-32602 text"),
      ("conversation.history", #"{"conversation":"c","before":"a","after":"b"}"#, "-32602 after"),
      ("message.edit", #"{"conversation":"c","message":"m"}"#, "-32602 text"),
      ("message.edit", #"{"conversation":"c","message":"m","text":"a","content":[{"type":"text","children":["a"]}]}"#, "-32602 text"),
      ("session.open", "{}", "-32602 token"), ("session.open", #"{"token":"t","guest":{}}"#, "-32602 token"),
      ("subscribe", #"{"topic":"conversations","since":"x"}"#, "-32602 since"),
      ("subscribe", #"{"topic":"conversations","mode":"delta"}"#, "-32602 mode"),
      ("subscribe", #"{"topic":"conversations","mode":"Snapshot"}"#, "-32602 mode"),
      ("loadMore", #"{"topic":"typing:c"}"#, "-32602 topic"), ("loadMore", #"{"topic":"conversation:c"}"#, "-32602 topic"),
      ("loadMore", #"{"topic":"user:c"}"#, "-32602 topic"), ("loadMore", #"{"topic":"online:c"}"#, "-32602 topic"),
      ("loadMore", #"{"topic":"messages:c","count":2147483648}"#, "ok"),
      ("loadMore", #"{"topic":"messages:c","count":0.5}"#, "-32602 count"),
    ]
    for (method, params, refusal) in cases { expectEqual(try frames.refusal(method, params), refusal, "\(method) \(params)") }
    guard case .failure(let later) = try frames.call("subscribe", #"{"topic":"conversations","since":1}"#).request else {
      return expect(false, "refused")
    }
    expectEqual(later.message, "since is not there yet")
    expectEqual(try frames.call("ping", #"{"actAs":"ada"}"#).actAs, try UserID("ada"))
  }

  // MARK: Cases

  static func requests() throws -> [(Method, [(String, ClientRequest)])] {
    try sessions() + conversations() + reading() + messages() + participants() + users() + push() + moderation() + topics()
  }

  private static func sessions() throws -> [(Method, [(String, ClientRequest)])] {
    let ada = try UserID("ada")
    return [
      (.ping, [("{}", .ping)]),
      (
        .sessionOpen,
        [
          (#"{"token":"t"}"#, .openSession(.token("t"))), (#"{"guest":{}}"#, .openSession(.guest(name: nil, id: nil))),
          (#"{"token":null,"guest":{"name":"Ada","id":"ada"}}"#, .openSession(.guest(name: "Ada", id: ada))),
          (#"{"guest":{"name":null,"id":null}}"#, .openSession(.guest(name: nil, id: nil))),
        ]
      ),
      (.sessionRefresh, [(#"{"token":"t"}"#, .refreshSession(token: "t"))]), (.sessionClose, [("{}", .closeSession)]),
      (.fileToken, [("{}", .fileToken)]),
      (.sessionList, [(#"{"user":"ada"}"#, .listSessions(ada))]), (.sessionRevoke, [(#"{"user":"ada"}"#, .revokeSessions(ada))]),
    ]
  }

  private static func conversations() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    var full = ConversationPatch()
    full.subject = .set("S")
    full.photoUrl = .set("https://x/y")
    full.welcomeMessages = .set(["a", "b"])
    full.custom = .merge([CustomPatch.Change(key: "k", value: "v")])
    full.own = ParticipantPatch(access: .set(.read), notify: .set(.mentionsOnly))
    var reset = ConversationPatch()
    reset.subject = .reset
    reset.photoUrl = .reset
    reset.welcomeMessages = .reset
    reset.custom = .clear
    reset.own = ParticipantPatch(access: .reset, notify: .reset)
    var removal = ConversationPatch()
    removal.custom = .merge([CustomPatch.Change(key: "k", value: nil)])
    let fields =
      #""subject":"S","photoUrl":"https://x/y","welcomeMessages":["a","b"],"custom":{"k":"v"},"access":"Read","notify":"MentionsOnly""#
    let nulls = #""subject":null,"photoUrl":null,"welcomeMessages":null,"custom":null,"access":null,"notify":null"#
    let names = #"["subject","photoUrl","welcomeMessages","custom","custom.","custom.a.b","access","notify"]"#
    return [
      (
        .conversationCreateIfNotExists,
        [
          ("{}", .createConversation(nil, NewConversation(isServerMade: true))),
          (
            #"{"type":"direct","with":"ada"}"#,
            .createConversation(nil, NewConversation(type: .direct, with: try UserID("ada"), isServerMade: true))
          ),
          (#"{"conversation":"c","type":"public",\#(fields)}"#, .createConversation(room, NewConversation(type: .public, fields: full))),
          (#"{"conversation":"c","type":null,"with":null}"#, .createConversation(room, NewConversation())),
        ]
      ),
      (
        .conversationSet,
        [
          (#"{"conversation":"c"}"#, .in(room, .set(ConversationPatch()))), (#"{"conversation":"c",\#(fields)}"#, .in(room, .set(full))),
          (#"{"conversation":"c",\#(nulls)}"#, .in(room, .set(reset))),
          (#"{"conversation":"c","custom":{"k":null}}"#, .in(room, .set(removal))),
        ]
      ),
      (
        .conversationDeleteFields,
        [
          (
            #"{"conversation":"c","fields":\#(names)}"#,
            .in(
              room,
              .deleteFields([
                .subject, .photoUrl, .welcomeMessages, .custom, .customKey(""), .customKey("a.b"), .access, .notify,
              ]))
          )
        ]
      ),
      (.conversationGet, [(#"{"conversation":"c"}"#, .in(room, .get))]),
      (.conversationDelete, [(#"{"conversation":"c"}"#, .in(room, .delete))]),
    ]
  }

  private static func reading() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    let id = MessageID(7, in: room)
    let other = MessageID(7, in: try ConversationID("d"))
    expectEqual(MessageID.unknown("x").number, 0, "no message has the number")
    return [
      (
        .conversationMarkAsRead,
        [
          (#"{"conversation":"c"}"#, .in(room, .markAsRead(upTo: nil))),
          (#"{"conversation":"c","upTo":"\#(id)"}"#, .in(room, .markAsRead(upTo: id))),
          (#"{"conversation":"c","upTo":"\#(other)"}"#, .in(room, .markAsRead(upTo: .unknown(other.text)))),
        ]
      ),
      (.conversationMarkAsUnread, [(#"{"conversation":"c"}"#, .in(room, .markAsUnread))]),
      (.conversationMarkAllAsRead, [("{}", .chat(.markAllAsRead))]),
      (.conversationMarkAsTyping, [(#"{"conversation":"c"}"#, .in(room, .markAsTyping))]),
      (.conversationStartTyping, [(#"{"conversation":"c"}"#, .in(room, .startTyping))]),
      (.conversationStopTyping, [(#"{"conversation":"c"}"#, .in(room, .stopTyping))]),
      (
        .conversationHistory,
        [
          (#"{"conversation":"c"}"#, .in(room, .history(HistoryRange(start: .newest, limit: 30)))),
          (#"{"conversation":"c","before":"\#(id)","limit":1}"#, .in(room, .history(HistoryRange(start: .before(id), limit: 1)))),
          (#"{"conversation":"c","after":"\#(id)","limit":1e2}"#, .in(room, .history(HistoryRange(start: .after(id), limit: 100)))),
          (
            #"{"conversation":"c","after":"?","before":null,"limit":null}"#,
            .in(room, .history(HistoryRange(start: .after(.unknown("?")), limit: 30)))
          ),
        ]
      ),
    ]
  }

  private static func messages() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    let id = MessageID(7, in: room)
    let hi = ContentBlock.plain("hi")
    let full = OutgoingMessage(content: hi, referenced: id, custom: CustomFields([("k", "v")]), clientMessageId: "x")
    let merged = CustomPatch.merge([CustomPatch.Change(key: "k", value: nil), CustomPatch.Change(key: "__proto__", value: "v")])
    return [
      (
        .conversationSend,
        [
          (#"{"conversation":"c","text":"hi"}"#, .in(room, .send(OutgoingMessage(content: hi)))),
          (
            #"{"conversation":"c","text":null,"content":[{"type":"text","children":["h","","i"]}]}"#,
            .in(room, .send(OutgoingMessage(content: hi)))
          ),
          (
            #"{"conversation":"c","text":"hi","referencedMessage":"\#(id)","custom":{"k":"v"},"clientMessageId":"x"}"#,
            .in(room, .send(full))
          ),
          (
            #"{"conversation":"c","text":"hi","referencedMessage":"no","custom":null,"clientMessageId":null}"#,
            .in(room, .send(OutgoingMessage(content: hi, referenced: .unknown("no"))))
          ),
        ]
      ),
      (
        .messageGet,
        [
          (#"{"conversation":"c","message":"\#(id)"}"#, .in(room, .getMessage(id))),
          (#"{"conversation":"c","message":""}"#, .in(room, .getMessage(.unknown("")))),
        ]
      ),
      (
        .messageEdit,
        [
          (#"{"conversation":"c","message":"\#(id)","text":"hi"}"#, .in(room, .editMessage(id, MessageEdit(content: hi)))),
          (
            #"{"conversation":"c","message":"\#(id)","custom":{"k":null,"__proto__":"v"}}"#,
            .in(room, .editMessage(id, MessageEdit(custom: merged)))
          ),
          (#"{"conversation":"c","message":"m","custom":null}"#, .in(room, .editMessage(.unknown("m"), MessageEdit(custom: .clear)))),
        ]
      ),
      (.messageThread, try threads(id, in: room)),
      (.messageDelete, [(#"{"conversation":"c","message":"\#(id)"}"#, .in(room, .deleteMessage(id)))]),
      (
        .messageAddReaction,
        [
          (#"{"conversation":"c","message":"\#(id)","emoji":"❤"}"#, .in(room, .addReaction(id, ReactionEmoji(stored: "\u{2764}\u{FE0F}")))),
          (#"{"conversation":"c","message":"","emoji":":a:"}"#, .in(room, .addReaction(.unknown(""), ReactionEmoji(stored: ":a:")))),
        ]
      ),
      (
        .messageRemoveReaction,
        [(#"{"conversation":"c","message":"\#(id)","emoji":":a:"}"#, .in(room, .removeReaction(id, ReactionEmoji(stored: ":a:"))))]
      ),
      (.conversationPin, [(#"{"conversation":"c","message":"\#(id)"}"#, .in(room, .pin(id)))]),
      (.conversationUnpin, [(#"{"conversation":"c"}"#, .in(room, .unpin))]),
      (
        .messageDeleteFields,
        [
          (
            #"{"conversation":"c","message":"\#(id)","fields":["custom","custom.\u0301"]}"#,
            .in(room, .deleteMessageFields(id, [.custom, .customKey("\u{301}")]))
          )
        ]
      ),
    ]
  }

  private static func participants() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    let ada = try UserID("ada")
    let who = #""conversation":"c","user":"ada""#
    let patch = ParticipantPatch(access: .set(.readWrite), notify: .set(.never))
    let reset = ParticipantPatch(access: .reset, notify: .reset)
    let changed = #"{\#(who),"access":"ReadWrite","notify":false}"#
    return [
      (.participantGet, [("{\(who)}", .in(room, .getParticipant(ada)))]),
      (.participantDelete, [("{\(who)}", .in(room, .deleteParticipant(ada)))]),
      (.participantCreateIfNotExists, [(changed, .in(room, .createParticipant(ada, patch)))]),
      (
        .participantSet,
        [
          (changed, .in(room, .setParticipant(ada, patch))),
          (#"{\#(who),"notify":true}"#, .in(room, .setParticipant(ada, ParticipantPatch(notify: .set(.always))))),
        ]
      ),
      (.participantEdit, [(#"{\#(who),"access":null,"notify":null}"#, .in(room, .editParticipant(ada, reset)))]),
      (
        .participantDeleteFields,
        [(#"{\#(who),"fields":["access","notify"]}"#, .in(room, .deleteParticipantFields(ada, [.access, .notify])))]
      ),
    ]
  }

  private static func users() throws -> [(Method, [(String, ClientRequest)])] {
    let ada = try UserID("ada")
    var full = UserPatch()
    full.name = "Ada"
    full.photoUrl = .set("http://x")
    full.custom = .merge([CustomPatch.Change(key: "k", value: "v")])
    full.locale = .set("pt-BR")
    full.role = .set("admin")
    full.email = .set(["a@b"])
    full.phone = .set([])
    full.welcomeMessage = .set("Hi")
    var reset = UserPatch()
    reset.photoUrl = .reset
    reset.custom = .clear
    reset.locale = .reset
    reset.role = .reset
    reset.email = .reset
    reset.phone = .reset
    reset.welcomeMessage = .reset
    let fields =
      #""photoUrl":"http://x","custom":{"k":"v"},"locale":"pt-BR","role":"admin","email":["a@b"],"phone":[],"welcomeMessage":"Hi""#
    let nulls = #""photoUrl":null,"custom":null,"locale":null,"role":null,"email":null,"phone":null,"welcomeMessage":null"#
    let names = #"["photoUrl","custom","custom.k","locale","role","email","phone","welcomeMessage"]"#
    let all: [UserField] = [.photoUrl, .custom, .customKey("k"), .locale, .role, .email, .phone, .welcomeMessage]
    return [
      (.userGet, [(#"{"user":"ada"}"#, .chat(.onUser(ada, .get)))]),
      (.userCreateIfNotExists, [(#"{"user":"ada","name":"Ada",\#(fields)}"#, .chat(.onUser(ada, .createIfNotExists(full))))]),
      (
        .userSet,
        [
          (#"{"user":"ada","name":"Ada",\#(fields)}"#, .chat(.onUser(ada, .set(full)))),
          (#"{"user":"ada",\#(nulls)}"#, .chat(.onUser(ada, .set(reset)))),
          (#"{"user":"ada"}"#, .chat(.onUser(ada, .set(UserPatch())))),
        ]
      ),
      (.userDeleteFields, [(#"{"user":"ada","fields":\#(names)}"#, .chat(.onUser(ada, .deleteFields(all))))]),
      (.userMute, [(#"{"user":"ada"}"#, .chat(.onSelf(.mute(ada))))]), (.userUnmute, [(#"{"user":"ada"}"#, .chat(.onSelf(.unmute(ada))))]),
      (.userMuted, [("{}", .chat(.onSelf(.muted)))]),
      (.presenceWhere, [(#"{"user":"ada"}"#, .chat(.onUser(ada, .whereabouts)))]),
      (
        .presenceHere,
        [
          (#"{"conversation":"c"}"#, .in(try ConversationID("c"), .here(limit: 30, after: nil))),
          (#"{"conversation":"c","limit":100,"after":"ada"}"#, .in(try ConversationID("c"), .here(limit: 100, after: ada))),
        ]
      ),
    ]
  }

  private static func topics() throws -> [(Method, [(String, ClientRequest)])] {
    let topic = Topic.messages(try ConversationID("c"))
    return [
      (
        .subscribe,
        [
          (#"{"topic":"messages:c"}"#, .subscribe(TopicRequest(topic: topic))),
          (#"{"topic":"messages:c","mode":"snapshot","from":"x"}"#, .subscribe(TopicRequest(topic: topic, from: "x"))),
          (#"{"topic":"conversations#l","mode":null,"from":null}"#, .subscribe(TopicRequest(topic: .conversations(label: "l")))),
          (#"{"topic":"conversations","filter":{}}"#, .subscribe(TopicRequest(topic: .conversations(label: nil)))),
          (#"{"topic":"conversations","filter":null}"#, .subscribe(TopicRequest(topic: .conversations(label: nil)))),
        ]
      ),
      (.unsubscribe, [(#"{"topic":"messages:c"}"#, .unsubscribe(name: "messages:c", topic))]),
      (
        .loadMore,
        [
          (#"{"topic":"messages:c"}"#, .loadMore(name: "messages:c", topic, count: nil)),
          (#"{"topic":"conversations","count":-9}"#, .loadMore(name: "conversations", .conversations(label: nil), count: -9)),
        ]
      ),
    ]
  }
}

extension ClientRequest {
  fileprivate static func `in`(_ conversation: ConversationID, _ operation: ConversationOperation) -> ClientRequest {
    .chat(.inConversation(conversation, operation))
  }
}
