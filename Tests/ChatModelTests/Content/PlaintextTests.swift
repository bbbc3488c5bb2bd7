import ChatModel
import TestSupport
import Testing

@Test func `plaintext is the text of all blocks`() {
  expectEqual(ContentBlock.plain("a").plaintext, "a", "one node")
  let blocks: [ContentBlock] = [.text([.plain("a"), .plain("b")]), .text([]), .text([.plain("c")])]
  expectEqual(blocks.plaintext, "ab\n\nc", "nodes join, blocks are lines")
  expectEqual([ContentBlock]().plaintext, "", "nothing")
  expectEqual([ContentBlock.location(Location(latitude: 1, longitude: 2))].plaintext, "", "a location has none")
}

@Test func `plaintext has no markup, and breaks the lines around what stands alone`() {
  let cases: [(text: String, plain: String)] = [
    ("*a _b_* ~c~ `d`", "a b c d"), ("x\n- a\n- b\ny", "x\na\nb\ny"), ("- a\n\nx", "a\n\nx"), ("x ```a b\nc``` y", "x \na b\nc\n y"),
    ("```a```", "a"),
    ("https://a.b c@d.ef", "https://a.b c@d.ef"), ("x\n\n```a```\ny", "x\n\na\ny"),
  ]
  for (text, plain) in cases { expectEqual(Markup.content(of: text).plaintext, plain, text.debugDescription) }
  let children: [TextNode] = [.plain("a"), .plain("")]
  let action = TextNode.Action(kind: .button, name: "x", params: CustomFields())
  let nodes: [TextNode] = [
    .styled(.blockquote, children), .link(url: "https://x", children), .action(action, children),
    .mention(UserID(stored: "ann"), text: "@Ann"), .literal(.emoji, "👍"),
    .unknown(UnknownNode(type: "x", text: "b", children: children, members: [])),
    .unknown(UnknownNode(type: "x", text: nil, children: nil, members: [])),
    .styled(.blockquote, [.styled(.bulletList, [.styled(.bulletPoint, children), .styled(.bulletPoint, [])])]), .styled(.bold, []),
  ]
  expectEqual([ContentBlock.text(nodes)].plaintext, "a\naa@Ann👍ba\na", "every kind")
}
