import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func message(_ number: Int64, quotes: Int64? = nil, by sender: String = "ann", isDeleted: Bool = false) -> MessageRecord {
  MessageRecord(
    number: number, revision: number, type: .user, sender: UserID(stored: sender), custom: CustomFields(), createdAt: number, editedAt: nil,
    referenced: quotes, origin: .web, content: ContentBlock.plain("\(number)"), isDeleted: isDeleted)
}

private func page(_ messages: [MessageRecord], quoted: [MessageRecord] = [], end: Bool = false) -> MessagePage {
  MessagePage(messages: messages, quoted: quoted, users: [], reachedEnd: end)
}

private func view(_ number: Int64) -> MessageWindow.View {
  let record = message(number)
  let snapshot = SnapshotBuilder.message(record, in: ConversationID(stored: "c"), quoted: nil) { UserCache().snapshot($0) }
  return MessageWindow.View(snapshot)
}

@Test func `the window holds the newest messages without a gap`() {
  var window = MessageWindow()
  expectEqual([window.newest?.number, window.coveredFrom], [nil, .max], "nothing is known")
  window.extend(by: page([message(9)]))
  window.extend(by: page([message(9), message(7, quotes: 2)], quoted: [message(2, by: "bob")]))
  expectEqual(window.items.map(\.record.number), [7, 9], "nothing twice")
  expectEqual(window.coveredFrom, 7, "known from here")
  expect(window.settles(8) && !window.settlesRow(8), "8 is no message, but may be a tombstone")
  expect(window.settlesRow(2) && !window.settles(3), "2 is quoted, 3 unknown")
  expectEqual(window.people, [UserID(stored: "ann"), UserID(stored: "bob")], "who is shown")
  window.append(message(10, quotes: 9))
  expectEqual(window.newest?.number, 10, "the newest")
  window.extend(by: page([message(5)], end: true))
  expectEqual([window.coveredFrom, window.items.first?.record.number], [0, 5], "to the end")

  for index in window.items.indices { window.keep(view(window.items[index].record.number), at: index) }
  expect(window.forgetViews(showing: UserID(stored: "bob")), "bob is quoted")
  expectEqual(window.items.map { $0.view != nil }, [true, false, true, true], "by the second")
  expect(!window.forgetViews(showing: UserID(stored: "eve")), "eve is not shown")
  window.update(message(9))
  expectEqual(window.items.map { $0.view != nil }, [true, false, false, false], "the message and who quotes it")
  window.update(message(2, by: "cy"))
  expectEqual(window.record(2)?.sender?.text, "cy", "a quoted one")

  window.delete(message(9, isDeleted: true))
  expectEqual(window.items.map(\.record.number), [5, 7, 10], "gone")
  expectEqual([window.record(9)?.isDeleted, window.living(9) == nil], [true, true], "a tombstone is left")
  expect(!window.shows(message(11, quotes: 9, by: "bob"), UserID(stored: "ann")), "whose sender is not shown")
}

@Test func `a quoted message that comes into the window is kept once`() {
  var window = MessageWindow()
  window.extend(by: page([message(100, quotes: 5)], quoted: [message(5)]))
  window.extend(by: page([message(5)], end: true))
  window.update(message(5, by: "bob"))
  window.delete(message(100, quotes: 5, isDeleted: true))
  for number in 101...102 { window.append(message(Int64(number))) }
  window.trim(to: 101)
  expectEqual(window.record(5)?.sender?.text, nil, "nothing of it is left to grow stale")
}

@Test func `single messages come and go`() {
  var window = MessageWindow()
  window.extend(by: page([message(100)]))
  window.take(5, page([message(5, quotes: 3)], quoted: [message(3)]))
  window.take(6, page([]))
  window.take(100, page([message(100)]))
  expectEqual([5, 6, 3, 100, 7].map { window.settlesRow($0) }, [true, true, true, true, false], "what is known")
  expectEqual([5, 6].map { window.living($0)?.number }, [5, nil], "6 is none")
  for number in 101...170 { window.append(message(Int64(number), quotes: number == 170 ? 101 : nil)) }
  window.trim(to: 50)
  expectEqual(window.items.count, 71, "nothing to drop")
  window.trim(to: 170)
  expectEqual(window.items.map(\.record.number), [170], "the rest is dropped")
  expectEqual(window.record(101)?.number, 101, "but for what is quoted")
  expectEqual(window.record(102), nil, "")
  window.trim(to: 500)
  expectEqual(window.items.count, 1, "a floor above all drops nothing")
  for number in 200..<300 { window.take(Int64(number), page([message(Int64(number))])) }
  window.dropUnquoted()
  expectEqual([101, 200, 5, 6].map { window.settlesRow($0) }, [true, false, false, false], "only the quoted one stays")
  expectEqual(window.item(101)?.record.number, 101, "what is outside of the window")
  window.keep(view(101), of: 101)
  window.keep(view(170), of: 170)
  expectEqual([101, 170].map { window.item($0)?.view != nil }, [true, true], "with the snapshots that were built")
  expect(window.forgetViews(showing: UserID(stored: "ann")), "ann is shown")
  expectEqual([101, 170].map { window.item($0)?.view != nil }, [false, false], "built again")
  window.delete(message(101, isDeleted: true))
  expect(window.item(101) == nil, "deleted")
  expectEqual(MessageWindow.complete.coveredFrom, 0, "a new conversation is known whole")
}

@Test func `what is pinned stays in memory with what it answers`() {
  var window = MessageWindow()
  window.extend(by: page([100, 99, 98].map { message(Int64($0)) }))
  window.take(5, page([message(5, quotes: 3)], quoted: [message(3)]))
  window.keep(view(5), of: 5)
  window.pin(5)
  for number in 200..<300 { window.take(Int64(number), page([message(Int64(number))])) }
  window.dropUnquoted()
  expectEqual([5, 3, 200].map { window.living(Int64($0))?.number }, [5, 3, nil], "the rest is dropped")
  window.update(message(3, by: "bob"))
  expect(window.item(5)?.view == nil, "what it answers changed")
  window.pin(99)
  window.trim(to: 100)
  expectEqual([98, 99, 100].map { window.living(Int64($0))?.number }, [nil, 99, 100], "out of the window")
  window.pin(nil)
  for number in 200..<300 { window.take(Int64(number), page([message(Int64(number))])) }
  window.dropUnquoted()
  expectEqual(window.living(99)?.number, nil, "no more")
}

@Test func `the newest of what is heard of a thread is shown`() {
  let summary = { (revision: Int64) in ThreadSummary(revision: revision, replyCount: 1, lastReplyAt: 1) }
  var window = MessageWindow()
  window.extend(by: page([message(9, quotes: 2), message(7)], quoted: [message(2), message(1, isDeleted: true)], end: true))
  for index in window.items.indices { window.keep(view(window.items[index].record.number), at: index) }
  let cases: [(Int64, under: MessageNumber, isNews: Bool)] = [
    (5, 9, true), (5, 9, false), (4, 9, false), (6, 9, true), (5, 2, true), (5, 2, false), (5, 1, false), (5, 3, false),
  ]
  for (revision, number, isNews) in cases {
    expectEqual(window.noteThread(summary(revision), under: number), isNews, "\(revision) under \(number)")
  }
  expectEqual(window.items.map { $0.view != nil }, [true, false], "it is built again")
  expectEqual([2, 7, 9].map { window.record($0)?.thread?.revision }, [5, nil, 6], "what is known")
}
