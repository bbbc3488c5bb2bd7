import ChatModel
import GatewayProtocol

extension MethodShapeTests {
  static func moderation() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    let ada = try UserID("ada")
    let in_ = { ClientRequest.chat(.inConversation(room, $0)) }
    let who = #""conversation":"c","user":"ada""#
    return [
      (
        .moderationSet,
        [
          ("{\(who)}", in_(.restrict(ada, Restriction()))),
          (#"{\#(who),"ban":null,"mute":false,"reason":null}"#, in_(.restrict(ada, Restriction()))),
          (#"{\#(who),"ban":true,"mute":true,"reason":"r"}"#, in_(.restrict(ada, Restriction(isBanned: true, isMuted: true, reason: "r")))),
        ]
      ),
      (
        .moderationList,
        [
          (#"{"conversation":"c"}"#, in_(.listRestrictions(UserRange(limit: 100)))),
          (#"{"conversation":"c","after":"ada","limit":7}"#, in_(.listRestrictions(UserRange(after: ada, limit: 7)))),
        ]
      ),
    ]
  }
}
