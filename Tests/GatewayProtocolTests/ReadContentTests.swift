import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadContentTests {
  private static func check(_ cases: [(content: String, refusal: String)]) throws {
    let frames = try Frames()
    for (content, refusal) in cases {
      expectEqual(
        try frames.refusal("conversation.send", #"{"conversation":"c","content":\#(content)}"#), refusal, "\(content.prefix(120))")
      expectEqual(
        try frames.refusal("message.edit", #"{"conversation":"c","message":"m","content":\#(content)}"#), refusal, "\(content.prefix(120))")
    }
  }

  @Test func `content is one block`() throws {
    let many = { (count: Int) in "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]" }
    try Self.check([
      (#"[{"type":"text","children":["a"]}]"#, "ok"), (#"[{"children":["a","b",""],"type":"text"}]"#, "ok"),
      (#"[{"type":"text","children":\#(many(100))}]"#, "ok"), (#"[{"type":"text","children":\#(many(101))}]"#, "107 content"),
      (#"[{"type":"text","children":[]}]"#, "-32602 content"), (#"[{"type":"text","children":[" ","\n"]}]"#, "-32602 content"),
      (#"[{"type":"text"}]"#, "-32602 content[0].children"), (#"[{"type":"text","children":"a"}]"#, "-32602 content[0].children"),
      (#"[{"children":["a"]}]"#, "-32602 content[0].type"), (#"[{"type":1,"children":["a"]}]"#, "-32602 content[0].type"),
      (#"[{"type":"file","fileToken":"x"}]"#, "-32602 content[0].fileToken"),
      (#"[{"type":"file"}]"#, "-32602 content[0].fileToken"), (#"[{"type":"file","fileToken":7}]"#, "-32602 content[0].fileToken"),
      (#"[{"type":"file","fileToken":"abcdefghijklmnopqrstuv","name":"x"}]"#, "-32602 content[0].name"),
      (#"[{"type":"file","fileToken":"abcdefghijklmnopqrstuv","url":7,"size":null}]"#, "ok"),
      (#"[{"type":"new","text":"a"}]"#, "-32602 content[0].type"),
      (#"[{"type":"text","children":["a"],"x":1}]"#, "-32602 content[0].x"), ("[null]", "-32602 content[0]"),
      (#"["a"]"#, "-32602 content[0]"),
      (#"[{"type":"text","children":["a"]},{"type":"text","children":["b"]}]"#, "-32602 content"), (#""a""#, "-32602 content"),
      ("[]", "-32602 content"),
      (#"[{"type":"location","latitude":-90,"longitude":180.0}]"#, "ok"),
      (#"[{"type":"location","latitude":90.5,"longitude":0}]"#, "-32602 content[0].latitude"),
      (#"[{"type":"location","latitude":0}]"#, "-32602 content[0].longitude"),
      (#"[{"type":"location","latitude":"0","longitude":0}]"#, "-32602 content[0].latitude"),
      (#"[{"type":"location","latitude":0,"longitude":0,"name":"x"}]"#, "-32602 content[0].name"),
    ])
  }

  @Test func `a fault in a node names its place`() throws {
    let place = "content[0].children[1]"
    let nested = { (depth: Int) in
      String(repeating: #"{"type":"bold","children":["#, count: depth) + #""a""# + String(repeating: "]}", count: depth)
    }
    let long = String(repeating: "x", count: 70)
    let nodes: [(node: String, refusal: String)] = [
      ("1", "-32602 \(place)"), ("null", "-32602 \(place)"), ("{}", "-32602 \(place).type"), (#"{"type":null}"#, "-32602 \(place).type"),
      (#"{"type":"bold"}"#, "-32602 \(place).children"),
      (#"{"type":"bold","children":[{"type":"italic","children":[1]}]}"#, "-32602 \(place).children[0].children[0]"),
      (#"{"type":"bold","children":["a"],"text":"a"}"#, "-32602 \(place).text"),
      (#"{"type":"codeSpan"}"#, "-32602 \(place).text"), (#"{"type":"codeSpan","text":1}"#, "-32602 \(place).text"),
      (#"{"type":"codeSpan","text":"a","\#(long)":1}"#, "-32602 \(place).\(long.prefix(64))…"),
      (#"{"type":"codeBlock","text":"a","language":null}"#, "ok"),
      (#"{"type":"codeBlock","text":"a","language":1}"#, "-32602 \(place).language"),
      (#"{"type":"codeBlock","text":"a","x":1}"#, "-32602 \(place).x"),
      (#"{"type":"link","url":"javascript:x","children":[]}"#, "-32602 \(place).url"),
      (#"{"type":"link","url":"https://a"}"#, "-32602 \(place).children"), (#"{"type":"link","children":[]}"#, "-32602 \(place).url"),
      (#"{"type":"autoLink","url":"https://a","text":"b"}"#, "-32602 \(place).url"),
      (#"{"type":"autoLink","url":"https://a"}"#, "-32602 \(place).text"), (#"{"type":"mention","id":"ann"}"#, "ok"),
      (#"{"type":"mention","id":"ann","text":null}"#, "ok"), (#"{"type":"mention","id":"a:b","text":"a"}"#, "-32602 \(place).id"),
      (#"{"type":"mention","id":"ann","text":1}"#, "-32602 \(place).text"), (#"{"type":"mention","text":"a"}"#, "-32602 \(place).id"),
      (#"{"type":"actionLink","action":"a","children":[]}"#, "ok"), (#"{"type":"actionLink","children":[]}"#, "-32602 \(place).action"),
      (#"{"type":"actionButton","action":"a","params":[],"children":[]}"#, "-32602 \(place).params"),
      (#"{"type":"actionButton","action":"a","params":{"k":1},"children":[]}"#, "-32602 \(place).params"),
      (#"{"type":"actionButton","action":"a","params":null,"children":[],"x":1}"#, "-32602 \(place).x"),
      (
        #"{"type":"actionButton","action":"a","params":{\#((0...64).map { #""\#($0)":"""# }.joined(separator: ","))},"children":[]}"#,
        "107 \(place).params"
      ),
      (#"{"type":"new","text":"a","k":{"x":[1]}}"#, "ok"), (#"{"type":"new","children":["a"]}"#, "ok"),
      (#"{"type":"new"}"#, "-32602 \(place).type"), (#"{"type":"new","text":1}"#, "-32602 \(place).text"),
      (#"{"type":"new","children":{}}"#, "-32602 \(place).children"), (nested(8), "ok"),
      (nested(9), "107 \(place)" + String(repeating: ".children[0]", count: 8)),
      (nested(20), "107 \(place)" + String(repeating: ".children[0]", count: 8)),
    ]
    try Self.check(nodes.map { (#"[{"type":"text","children":["a",\#($0.node)]}]"#, $0.refusal) })
  }

  @Test func `text has markup`() throws {
    let request = try Frames().request("conversation.send", #"{"conversation":"c","text":"*a* <@ann>"}"#)
    let content: [ContentBlock] = [.text([.styled(.bold, [.plain("a")]), .plain(" "), .mention(try UserID("ann"), text: "")])]
    expectEqual(request, .chat(.inConversation(try ConversationID("c"), .send(OutgoingMessage(content: content)))), "as nodes")
  }

  @Test func `what comes in goes out`() throws {
    let nodes = [
      #"{"type":"bold","children":["a",{"type":"italic","children":[]}]}"#,
      #"{"type":"bulletList","children":[{"type":"bulletPoint","children":["a"]}]}"#, #"{"type":"codeSpan","text":"a"}"#,
      #"{"type":"codeBlock","text":"a","language":"swift"}"#, #"{"type":"codeBlock","text":"a"}"#,
      #"{"type":"link","url":"https://a","children":["a"]}"#, #"{"type":"autoLink","url":"https://a","text":"a"}"#,
      #"{"type":"actionButton","action":"go","params":{"k":"v"},"children":["a"]}"#, #"{"type":"emoji","text":"👍"}"#,
      #"{"type":"customEmoji","text":":a:"}"#, #"{"type":"suppressed","text":"***"}"#,
      #"{"type":"new","text":"a","children":["b"],"k":{"x":[1,2.5,null,"\n"]},"é":true}"#, #"{"type":"mention","id":"ann","text":""}"#,
      #"{"type":"new","children":[]}"#,
    ]
    let blocks = nodes.map { #"{"type":"text","children":["a",\#($0)]}"# } + [#"{"type":"location","latitude":-12.5,"longitude":7.0}"#]
    for block in blocks {
      let request = try Frames().request("conversation.send", #"{"conversation":"c","content":[\#(block)]}"#)
      guard case .chat(.inConversation(let room, .send(let message))) = request else { return expect(false, block) }
      let snapshot = MessageSnapshot(
        id: MessageID(1, in: room), conversation: room, type: .system, sender: nil, custom: CustomFields(), createdAt: 1, editedAt: nil,
        referencedMessage: nil, origin: .web,
        content: message.content)
      let sent = String(decoding: ServerMessage.encodedSubscription(.messages(room), .messages([snapshot], loadedAll: true)), as: UTF8.self)
      expect(sent.contains(#""content":[\#(block)]"#), "\(block) became \(sent)")
      expect(sent.utf8.count <= snapshot.encodedSize + 200, "\(block): no larger than it is reckoned")
    }
  }
}

@Suite struct FileBlockTests {
  @Test func `a file goes out with all that is told of it, and comes back as its token`() throws {
    let file = FileID(stored: "abcdefghijklmnopqrstuv")
    let image = FileDetails(
      filename: "a\"b", size: 3, mediaType: MediaType(stored: "image/png"), kind: .image, width: 4, height: 5, durationMs: 1_500)
    let rows: [(FileDetails?, String)] = [
      (
        image,
        #""subtype":"image","url":"/files/abcdefghijklmnopqrstuv","size":3,"filename":"a\"b","fileToken":"abcdefghijklmnopqrstuv","width":4,"height":5,"duration":1.5"#
      ),
      (
        FileDetails(filename: "a", size: 3, mediaType: .unknown),
        #""url":"/files/abcdefghijklmnopqrstuv","size":3,"filename":"a","fileToken":"abcdefghijklmnopqrstuv""#
      ),
      (nil, #""url":"/files/abcdefghijklmnopqrstuv","size":0,"filename":"","fileToken":"abcdefghijklmnopqrstuv""#),
    ]
    let room = ConversationID(stored: "c")
    for (details, members) in rows {
      let snapshot = MessageSnapshot(
        id: MessageID(1, in: room), conversation: room, type: .system, sender: nil, custom: CustomFields(), createdAt: 1, editedAt: nil,
        referencedMessage: nil, origin: .web, content: [.file(FileBlock(file, details))])
      let sent = String(decoding: ServerMessage.encodedSubscription(.messages(room), .messages([snapshot], loadedAll: true)), as: UTF8.self)
      let block = #"{"type":"file",\#(members)}"#
      expect(sent.contains(#""content":[\#(block)]"#), sent)
      let request = try Frames().request("conversation.send", #"{"conversation":"c","content":[\#(block)]}"#)
      guard case .chat(.inConversation(_, .send(let message))) = request else { return expect(false, block) }
      expectEqual(message.content, [.file(FileBlock(file))], "what comes back")
    }
  }
}
