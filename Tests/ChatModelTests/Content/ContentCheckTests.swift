import ChatModel
import TestSupport
import Testing

@Suite struct ContentCheckTests {
  private static func outcome(_ content: [ContentBlock], _ permissions: Permissions? = nil) -> String {
    do throws(ContentFault) {
      try ContentCheck.check(content, maxTextLength: 1_000, permissions: permissions)
      return "ok"
    } catch {
      let answer = error.error(in: "content")
      expect(answer.message.hasPrefix(answer.field ?? "?"), "the sentence names the field")
      return "\(answer.kind.rawValue) \(answer.field ?? "")"
    }
  }

  private static func nested(_ depth: Int) -> TextNode { depth == 0 ? .plain("a") : .styled(.bold, [nested(depth - 1)]) }

  private static func action(_ name: String = "go", _ params: CustomFields = CustomFields()) -> TextNode {
    .action(TextNode.Action(kind: .link, name: name, params: params), [.plain("a")])
  }

  private static func unknown(_ type: String, text: String? = nil, _ children: [TextNode]? = nil, _ value: String = "1") -> TextNode {
    .unknown(UnknownNode(type: type, text: text, children: children, members: [.init(key: "k", value: value)]))
  }

  @Test func `one block with something to see in it`() {
    let cases: [(String, [ContentBlock], String)] = [
      ("none", [], "-32602 content"), ("two", ContentBlock.plain("a") + ContentBlock.plain("b"), "-32602 content"),
      ("text", ContentBlock.plain("a"), "ok"),
      ("empty", [.text([])], "-32602 content"),
      ("white space", [.text([.plain(" \n"), .styled(.bold, [.plain("\u{A0}")])])], "-32602 content"),
      ("long", ContentBlock.plain(String(repeating: "é", count: 1_000)), "ok"),
      ("too long", [.text([.plain(String(repeating: "a", count: 999)), .styled(.bold, [.plain("bc")])])], "107 content"),
      ("north pole", [.location(Location(latitude: 90, longitude: -180))], "ok"),
      ("south pole", [.location(Location(latitude: -90, longitude: 180))], "ok"),
      ("beyond it", [.location(Location(latitude: 90.1, longitude: 0))], "-32602 content[0].latitude"),
      ("nowhere", [.location(Location(latitude: .nan, longitude: 0))], "-32602 content[0].latitude"),
      ("around", [.location(Location(latitude: 0, longitude: -180.5))], "-32602 content[0].longitude"),
    ]
    for (name, content, expected) in cases { expectEqual(Self.outcome(content), expected, name) }
  }

  @Test func `each node keeps its rules`() {
    let place = "content[0].children[1]"
    let x = { String(repeating: "x", count: $0) }
    let cases: [(String, TextNode, String)] = [
      ("a list", .styled(.bulletList, [.styled(.bulletPoint, [.plain("a")])]), "ok"),
      ("a list of text", .styled(.bulletList, [.styled(.bulletPoint, []), .plain("a")]), "-32602 \(place).children[1]"),
      ("as deep as may be", Self.nested(8), "ok"), ("deeper", Self.nested(9), "107 \(place)" + String(repeating: ".children[0]", count: 8)),
      ("code", .literal(.codeSpan, "a"), "ok"), ("masked", .literal(.suppressed, "***"), "ok"), ("emoji", .literal(.emoji, "👍"), "ok"),
      ("no emoji", .literal(.emoji, " "), "-32602 \(place).text"),
      ("a long emoji", .literal(.emoji, x(51)), "107 \(place).text"), ("custom", .literal(.customEmoji, ":a:"), "ok"),
      ("no name", .literal(.customEmoji, "::"), "-32602 \(place).text"), ("one colon", .literal(.customEmoji, ":"), "-32602 \(place).text"),
      ("a colon in it", .literal(.customEmoji, ":a:b:"), "-32602 \(place).text"),
      ("a space in it", .literal(.customEmoji, ":a b:"), "-32602 \(place).text"),
      ("a long name", .literal(.customEmoji, ":\(x(49)):"), "107 \(place).text"),
      ("a language", .codeBlock("a", language: x(64)), "ok"),
      ("a long language", .codeBlock("a", language: x(65)), "107 \(place).language"),
      ("no language", .codeBlock("a", language: ""), "-32602 \(place).language"),
      ("a link", .link(url: "https://a", [.styled(.bold, [.plain("a")])]), "ok"),
      ("a script", .link(url: "javascript:a", []), "-32602 \(place).url"),
      ("a long address", .link(url: "https://a/" + x(1_991), []), "107 \(place).url"),
      ("an address that counts", .link(url: "https://a/" + x(1_500), []), "107 content"),
      ("itself", .autoLink(url: "https://a/b", text: "a/b"), "ok"),
      ("another", .autoLink(url: "https://a", text: "b"), "-32602 \(place).url"),
      ("more than its text", .autoLink(url: "https://a/" + x(1_500), text: "a"), "107 content"),
      ("a long one", .autoLink(url: "https://a/" + x(1_991), text: "a"), "107 \(place).url"),
      (
        "a link in a link", .link(url: "https://a", [.styled(.bold, [.autoLink(url: "https://a", text: "a")])]),
        "-32602 \(place).children[0].children[0]"
      ), ("an action", Self.action(), "ok"),
      ("a nameless one", Self.action(""), "-32602 \(place).action"), ("a long one", Self.action(x(65)), "107 \(place).action"),
      ("params", Self.action("go", CustomFields([("k", x(900))])), "ok"),
      ("params that count", Self.action("go", CustomFields([("k", x(1_000))])), "107 content"),
      ("too many", Self.action("go", CustomFields([("k", x(4_096))])), "107 \(place).params"),
      ("a mention", .mention(UserID(stored: "ann"), text: ""), "ok"), ("unknown", Self.unknown("x", text: "a"), "ok"),
      ("unknown with children", Self.unknown("x", [Self.action()]), "ok"),
      ("unknown with neither", Self.unknown("x"), "-32602 \(place).type"),
      ("unknown without a name", Self.unknown("", text: "a"), "-32602 \(place).type"),
      ("a long type", Self.unknown(x(65), text: "a"), "107 \(place).type"),
      ("members that count", Self.unknown("x", text: "a", nil, x(1_000)), "107 content"),
      ("a fault inside", Self.unknown("x", [Self.action("")]), "-32602 \(place).children[0].action"),
    ]
    for (name, node, expected) in cases { expectEqual(Self.outcome([.text([.plain("a"), node])]), expected, name) }
    let many = { (node: TextNode, count: Int) in [ContentBlock.text(Array(repeating: node, count: count))] }
    expectEqual([500, 501].map { Self.outcome(many(.styled(.bold, []), $0) + []) }, ["-32602 content", "107 content"], "nodes")
    expectEqual([50, 51].map { Self.outcome(many(.mention(UserID(stored: "a"), text: ""), $0)) }, ["ok", "107 content"], "mentions")
  }

  @Test func `links and locations are for those who may send them`() {
    var none = Permissions()
    none.locations = false
    var all = Permissions()
    all.links = true
    let link = TextNode.link(url: "https://a", [.plain("a")])
    let cases: [(String, [ContentBlock], Permissions, String)] = [
      ("a link", [.text([link])], none, "101 content[0].children[0]"),
      ("an action", [.text([Self.action()])], none, "101 content[0].children[0]"),
      ("deep", [.text([Self.unknown("x", [link])])], none, "101 content[0].children[0].children[0]"),
      ("allowed", [.text([link, Self.action()])], all, "ok"), ("an address", [.text([.autoLink(url: "https://a", text: "a")])], none, "ok"),
      ("a location", [.location(Location(latitude: 0, longitude: 0))], none, "101 content[0]"),
      ("allowed", [.location(Location(latitude: 0, longitude: 0))], all, "ok"),
    ]
    for (name, content, permissions, expected) in cases { expectEqual(Self.outcome(content, permissions), expected, name) }
  }
}
