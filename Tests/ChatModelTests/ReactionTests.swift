import ChatModel
import TestSupport
import Testing

private let (like, love) = (ReactionEmoji(stored: "\u{1F44D}"), ReactionEmoji(stored: ":love:"))

@Test func `what one user reacted with is kept by message`() {
  let ann = UserID(stored: "ann")
  var own = OwnReactions([Reaction(message: 1, user: ann, emoji: like), Reaction(message: 1, user: ann, emoji: love)])
  expectEqual([own[1], own[2]], [[like, love], []], "by message")
  expectEqual(own, OwnReactions([love, like].map { Reaction(message: 1, user: ann, emoji: $0) }), "in no order")
  own.insert(like, on: 2)
  own.insert(like, on: 2)
  own.remove(like, from: 1)
  own.remove(like, from: 1)
  expectEqual([own[1], own[2]], [[love], [like]], "changed")
  expect(own.forget([2, 3]) && !own.forget([2, 3]), "forgotten once")
  own.remove(love, from: 1)
  expectEqual(own, OwnReactions(), "nothing is left")
  expect(own.isEmpty, "nothing")
}

@Test func `a message is seen with the viewer's own reactions marked`() {
  let room = ConversationID(stored: "room")
  let counts = [ReactionCount(emoji: love, count: 3), ReactionCount(emoji: like, count: 1)]
  let quote = ReferencedMessageSnapshot(
    id: MessageID(1, in: room), conversation: room, type: .user, sender: nil, custom: CustomFields(), createdAt: 1, editedAt: nil,
    referencedMessageId: nil, origin: .web, content: [], reactions: [ReactionSnapshot](counts))
  let message = MessageSnapshot(
    id: MessageID(2, in: room), conversation: room, type: .user, sender: nil, custom: CustomFields(), createdAt: 1, editedAt: nil,
    referencedMessage: quote, origin: .web, content: [], reactions: [ReactionSnapshot](counts))
  var own = OwnReactions()
  expectEqual(message.seen(with: own), message, "nothing of one's own")
  own.insert(like, on: 1)
  own.insert(love, on: 7)
  let seen = message.seen(with: own)
  expectEqual(seen.reactions, message.reactions, "not on the message")
  expectEqual(seen.referencedMessage?.reactions.map(\.currentUserReacted), [false, true], "on what it answers")
  expectEqual(seen.referencedMessage?.reactions.map(\.count), [3, 1], "counts stay")
  own.insert(love, on: 2)
  expectEqual(message.seen(with: own).reactions.map(\.currentUserReacted), [true, false], "on the message")
}
