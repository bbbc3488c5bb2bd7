import ChatModel
import GatewayProtocol

extension MethodShapeTests {
  static func moderation() throws -> [(Method, [(String, ClientRequest)])] {
    let room = try ConversationID("c")
    let ada = try UserID("ada")
    let in_ = { ClientRequest.chat(.inConversation(room, $0)) }
    let who = #""conversation":"c","user":"ada""#
    let message = MessageID(7, in: room)
    return [
      (
        .conversationInvite,
        [
          (#"{"conversation":"c","users":[]}"#, in_(.invite([]))),
          (#"{"conversation":"c","users":["ada","bob"]}"#, in_(.invite([ada, try UserID("bob")]))),
        ]
      ),
      (
        .conversationInvitees,
        [
          (#"{"conversation":"c"}"#, in_(.listInvitees(UserRange(limit: 100)))),
          (#"{"conversation":"c","after":"ada","limit":7}"#, in_(.listInvitees(UserRange(after: ada, limit: 7)))),
        ]
      ),
      (
        .conversationReport,
        [
          (#"{"conversation":"c","message":"\#(message)","reason":"r"}"#, in_(.report(message, reason: "r"))),
          (#"{"conversation":"c","message":"no","reason":"r"}"#, in_(.report(.unknown("no"), reason: "r"))),
        ]
      ),
      (
        .moderationReports,
        [
          (#"{"conversation":"c"}"#, in_(.listReports(ReportRange(limit: 100)))),
          (#"{"conversation":"c","before":"\#(message)","limit":7}"#, in_(.listReports(ReportRange(before: message, limit: 7)))),
        ]
      ),
      (.moderationDismiss, [(#"{"conversation":"c","message":"\#(message)"}"#, in_(.dismissReports(message)))]),
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
