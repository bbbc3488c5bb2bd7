import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Test func `bodies that differ have different hashes, and each keeps its own`() {
  func action(_ kind: TextNode.Action.Kind, _ name: String, _ params: CustomFields = CustomFields()) -> TextNode {
    .action(TextNode.Action(kind: kind, name: name, params: params), [.plain("a")])
  }
  func unknown(_ type: String, text: String? = nil, _ children: [TextNode]? = nil, _ members: [UnknownNode.Member] = []) -> TextNode {
    .unknown(UnknownNode(type: type, text: text, children: children, members: members))
  }
  let nodes: [[TextNode]] = [
    [.plain("a")], [.plain("*a*")], [.styled(.bold, [.plain("a")])], [.styled(.italic, [.plain("a")])], [.styled(.bold, []), .plain("a")],
    [.styled(.bold, [.styled(.bold, [])])],
    [.styled(.bold, []), .styled(.bold, [])], [.literal(.codeSpan, "a")], [.literal(.emoji, "a")], [.codeBlock("a", language: nil)],
    [.codeBlock("a", language: "a")],
    [.link(url: "a", [.plain("a")])], [.link(url: "b", [.plain("a")])], [.autoLink(url: "a", text: "a")], [.autoLink(url: "a", text: "b")],
    [action(.link, "a")], [action(.button, "a")],
    [action(.button, "b")], [action(.button, "b", CustomFields([("a", "b")]))], [.mention(UserID(stored: "a"), text: "")],
    [.mention(UserID(stored: "b"), text: "")], [unknown("a", text: "a")],
    [unknown("a", [.plain("a")])], [unknown("b", text: "a")], [unknown("a", text: "a", nil, [.init(key: "a", value: "1")])],
  ]
  let places = [(1.0, 2.0), (2.0, 1.0)].map { [ContentBlock.location(Location(latitude: $0.0, longitude: $0.1))] }
  let hashes = (nodes.map { [ContentBlock.text($0)] } + places).map { RequestHash.of(OutgoingMessage(content: $0)) }
  expectEqual(Set(hashes).count, hashes.count, "all different")
  // Stored with each message: another value would make retries across an update conflicts.
  expectEqual(RequestHash.of(OutgoingMessage(content: Markup.content(of: "*a* <@b>"))), 2_237_647_110_974_806_313, "a fixed value")
}
