import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  /// A body with every kind of block and node, once in another.
  private static let body: [ContentBlock] = {
    let text: [TextNode] = [.plain("a \" \\ \u{0}")]
    let styled = TextNode.Style.allCases.map { TextNode.styled($0, text) }
    let literal = TextNode.Literal.allCases.map { TextNode.literal($0, "b") }
    let actions = TextNode.Action.Kind.allCases.map { kind in
      TextNode.action(TextNode.Action(kind: kind, name: "go", params: CustomFields([("k", "v")])), text)
    }
    let members = [UnknownNode.Member(key: "x", value: "{\"y\":[1,null]}"), UnknownNode.Member(key: "z", value: "\"\"")]
    let unknown: [TextNode] = [
      .unknown(UnknownNode(type: "new", text: "c", children: nil, members: members)),
      .unknown(UnknownNode(type: "bold", text: nil, children: styled, members: [])),
    ]
    let others: [TextNode] = [
      .codeBlock("c", language: "swift"), .codeBlock("d", language: nil), .link(url: "https://a", text),
      .autoLink(url: "https://a", text: "a"), .mention(Make.user("zoë"), text: ""),
    ]
    return [
      .text(styled + literal + actions + unknown + others), .location(Location(latitude: -89.999_999_9, longitude: 180)),
      .text((0..<8).reduce([.plain("deep")]) { nodes, _ in [.styled(.bold, nodes)] }),
    ]
  }()

  static func checkContent(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    var message = Make.message(1)
    message.content = body
    await store.commit(
      .putConversation(Make.conversation("a")), .putUser(Make.fullUser("zoë")), .putParticipant(id, Make.participant("ann")))
    await store.commit(.appendMessage(id, message, key: nil))
    await store.compare(.message(id, 1), .conversationList(Make.user("ann"), after: nil, limit: 10), comment: "with whom it mentions")
    await store.commit(.appendMessage(id, Make.message(2, answering: 1), key: nil))
    await store.compare(.messages(id, .newest, limit: 1), .conversationList(Make.user("ann"), after: nil, limit: 10), comment: "in a quote")
  }
}
