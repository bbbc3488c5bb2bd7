import ChatModel
import TestSupport
import Testing

@Suite struct ChatCallTests {
  @Test func `what reads, and a send with an id of its own, may be asked again`() throws {
    let room = ConversationID(stored: "c")
    let ada = UserID(stored: "ada")
    let message = MessageID(1, in: room)
    let named = OutgoingMessage(content: [], clientMessageId: "1")
    let unnamed = OutgoingMessage(content: [])
    func on(_ operation: ConversationOperation) -> ChatCall { .operation(.inConversation(room, operation)) }
    let repeatable: [ChatCall] = [
      .sendText(room, "x", named), on(.send(named)), on(.get), on(.history(HistoryRange(start: .newest, limit: 1))),
      on(.getMessage(message)), on(.getThread), on(.getParticipant(ada)), on(.listRestrictions(UserRange(limit: 1))),
      on(.here(limit: 1, after: nil)),
      .operation(.onUser(ada, .get)), .operation(.onUser(ada, .whereabouts)),
    ]
    let others: [ChatCall] = [
      .sendText(room, "x", unnamed), on(.send(unnamed)), on(.markAsUnread), .operation(.markAllAsRead),
      .operation(.onUser(ada, .set(UserPatch()))),
      .create(room, NewConversation()), .editText(room, message, "x", custom: .keep), .subscribe(.user(ada), from: nil),
      .unsubscribe(.user(ada)), .loadMore(.messages(room), count: nil),
    ]
    for call in repeatable { expect(call.isRepeatable, "\(call)") }
    for call in others { expect(!call.isRepeatable, "\(call)") }
  }
}
