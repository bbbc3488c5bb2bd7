import ChatModel
import TestSupport
import Testing

@Test func `the size of a body is known without encoding it`() {
  expectEqual([ContentBlock.plain("abc").roughSize, ContentBlock.plain("€").roughSize], [6, 6], "text, twice")
  let bold = Markup.content(of: "*abc*")
  expectEqual(bold.roughSize, bold.encodedSize, "nodes")
  expectEqual(Markup.content(of: "<@ann>").roughSize - Markup.content(of: "<@ann>").encodedSize, 1_600, "a name may be long")
  expect([ContentBlock.location(Location(latitude: 1, longitude: 2))].encodedSize >= 120, "a location")
  let nodes: [TextNode] = [
    .styled(.bold, [.plain("a")]), .literal(.emoji, "b"), .codeBlock("c", language: "d"), .link(url: "e", [.plain("f")]),
    .autoLink(url: "g", text: "h"),
    .action(TextNode.Action(kind: .link, name: "i", params: CustomFields([("j", "k")])), []), .mention(UserID(stored: "l"), text: "@l"),
    .unknown(UnknownNode(type: "m", text: "n", children: [.plain("o")], members: [.init(key: "p", value: "{}")])),
  ]
  for node in nodes { expect([ContentBlock.text([node])].encodedSize > [ContentBlock.text([])].encodedSize + 60, brief([node])) }
}
