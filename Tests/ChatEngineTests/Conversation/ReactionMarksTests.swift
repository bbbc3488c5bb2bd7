import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private let room = ConversationID(stored: "room")
private let like = ReactionEmoji(stored: "\u{1F44D}")

private func user(_ name: String) -> UserID { UserID(stored: name) }

private func reaction(_ message: MessageNumber, _ name: String) -> Reaction { Reaction(message: message, user: user(name), emoji: like) }

private func message(_ number: MessageNumber, likes: Int) -> MessageRecord {
  MessageRecord(
    number: number, revision: number, type: .user, sender: user("ann"), custom: CustomFields(), createdAt: number, editedAt: nil,
    referenced: nil, origin: .web, content: [], isDeleted: false, reactions: likes > 0 ? [ReactionCount(emoji: like, count: likes)] : [])
}

@Test func `who reacted is asked for once, and only of those who matter`() {
  var marks = ReactionMarks()
  let viewers = [user("bob")]
  marks.take(message(1, likes: 0))
  expect(marks.settles(user("ann")), "nothing has reactions")
  expectEqual(marks.missing([user("ann")], viewers: viewers, in: room), [], "nothing to ask")

  marks.take(message(2, likes: 5))
  marks.take(message(2, likes: 5))
  expect(!marks.settles(user("bob")), "not known yet")
  let first = StoreQuery.reactions(room, of: [user("bob")], on: [2])
  let second = StoreQuery.reactions(room, of: [user("ann")], on: [2])
  expectEqual(marks.missing([user("ann"), user("bob")], viewers: viewers, in: room), [first, second], "the viewers, and who is wanted")
  expectEqual(
    marks.take([reaction(2, "bob"), reaction(9, "bob")], of: viewers, on: [2]), viewers.reduce(into: []) { $0.insert($1) }, "bob did")
  expectEqual(marks.take([], of: [user("ann")], on: [2]), [], "ann did not")
  expectEqual(["ann", "bob", "cy"].map { marks.settles(user($0)) }, [true, true, false], "known")
  expectEqual([marks[user("bob")][2], marks[user("bob")][9], marks[user("ann")][2]], [[like], [], []], "what they did")
  expectEqual(marks.missing([user("ann"), user("bob")], viewers: viewers, in: room), [], "nothing is asked twice")

  marks.take(message(3, likes: 1))
  let older = StoreQuery.reactions(room, of: [user("ann"), user("bob")], on: [3])
  let newcomer = StoreQuery.reactions(room, of: [user("cy")], on: [2, 3])
  expectEqual(marks.missing([user("cy")], viewers: viewers, in: room), [older, newcomer], "a message that came, and a user who did")
  _ = marks.take([reaction(3, "ann")], of: [user("ann"), user("bob")], on: [3])
  marks.take(message(4, likes: 1))
  _ = marks.take([], of: [user("cy")], on: [2, 3])
  expectEqual(
    marks.missing([], viewers: viewers, in: room), [.reactions(room, of: ["ann", "bob", "cy"].map(user), on: [4])],
    "what came while it was asked for is asked of all")
}

@Test func `what is decided is known, and what leaves memory is forgotten`() {
  var marks = ReactionMarks()
  marks.insert(reaction(1, "ann"), viewers: [user("bob")])
  expectEqual(["ann", "bob", "cy"].map { marks.settles(user($0)) }, [true, true, false], "nobody else did before")
  marks.insert(reaction(2, "ann"), viewers: [user("bob"), user("cy")])
  expect(!marks.settles(user("cy")), "who came later has to be asked for")
  marks.insert(reaction(2, "bob"), viewers: [])
  expectEqual(marks.keep { $0 != 1 }, [user("ann")], "who reacted to what is gone")
  expectEqual([marks[user("ann")][1], marks[user("ann")][2]], [[], [like]], "forgotten")
  expectEqual(marks.keep { _ in true }, [], "nothing is gone")
  marks.remove(reaction(2, "ann"))
  marks.remove(reaction(2, "nobody"))
  expectEqual([marks[user("ann")], marks[user("bob")]], [OwnReactions(), OwnReactions([reaction(2, "bob")])], "taken back")
  expectEqual(marks.keep { _ in false }, [user("bob")], "all is gone")
  expect(marks.settles(user("cy")), "nothing is left to know")

  for number in 0...1_100 { marks.insert(reaction(5, "u\(number)"), viewers: []) }
  marks.dropUnused { $0 == user("u7") }
  expectEqual(["u6", "u7"].map { marks.settles(user($0)) }, [false, true], "only who matters stays")
  expectEqual(["u6", "u7"].map { marks[user($0)].isEmpty }, [true, false], "with what they did")
  marks.dropUnused { _ in false }
  expect(marks.settles(user("u7")), "a few are kept")
}
