import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct OutputCostTests {
  private static let general = ConversationID(stored: "general")
  private static let ann = UserID(stored: "ann")

  private static func of(_ operation: ConversationOperation) -> OutputCost {
    OutputCost(.chat(.inConversation(general, operation)), maxTextLength: 10_000)
  }

  @Test func `pages are heavy, all else is light and costs about what it asks for`() {
    let message = MessageID(1, in: Self.general)
    let text = { (count: Int) in OutgoingMessage(content: ContentBlock.plain(String(repeating: "€", count: count))) }
    let page = OutputCost.heavy(OutputCost.page)
    let cases: [(String, OutputCost, OutputCost)] = [
      ("reports", Self.of(.listReports(ReportRange(limit: 1))), page), ("a report", Self.of(.report(message, reason: "r")), .light(512)),
      ("invitations", OutputCost(.invitations, maxTextLength: 1), page), ("to invite", Self.of(.invite([])), page),
      ("restrictions", Self.of(.listRestrictions(UserRange(limit: 1))), page),
      ("a ban", Self.of(.restrict(Self.ann, Restriction())), .light(512)),
      ("history", Self.of(.history(HistoryRange(start: .newest, limit: 1))), page),
      ("loadMore", OutputCost(.loadMore(name: "messages:general", .messages(Self.general), count: nil), maxTextLength: 1), page),
      ("who is here", Self.of(.here(limit: 1, after: nil)), page),
      ("where", OutputCost(.chat(.onUser(Self.ann, .whereabouts)), maxTextLength: 1), page),
      ("a device", OutputCost(.chat(.onSelf(.unregisterDevice("t"))), maxTextLength: 1), .light(512)),
      ("ping", OutputCost(.ping, maxTextLength: 1), .light(512)), ("typing", Self.of(.markAsTyping), .light(512)),
      ("a short send", Self.of(.send(text(1))), .light(8_198)), ("a long send", Self.of(.send(text(9_000))), .light(62_192)),
      ("an endless send", Self.of(.send(text(90_000))), .light(OutputCost.page + 8_192)),
      ("a message", Self.of(.getMessage(message)), .light(88_192)), ("a conversation", Self.of(.get), .light(8_192)),
      (
        "a long message", OutputCost(.chat(.inConversation(Self.general, .getMessage(message))), maxTextLength: 100_000),
        .light(OutputCost.page)
      ),
      ("a user", OutputCost(.chat(.onUser(Self.ann, .get)), maxTextLength: 1), .light(8_192)),
      ("messages:", OutputCost(.messages(Self.general), maxTextLength: 1), page),
      ("conversations", OutputCost(.conversations(label: nil), maxTextLength: 1), page),
      ("conversation:", OutputCost(.conversation(Self.general), maxTextLength: 10_000), .heavy(184_576)),
      ("online:", OutputCost(.online(Self.ann), maxTextLength: 10_000), .heavy(8_192)),
    ]
    for (name, cost, expected) in cases { expectEqual(cost, expected, name) }
  }
}
