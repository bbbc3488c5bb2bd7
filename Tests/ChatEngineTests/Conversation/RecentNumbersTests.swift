import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Test func `numbers count unread messages and measure windows`() {
  var numbers = RecentNumbers(newestFirst: [9, 7, 4, 2])
  expectEqual([numbers.newest, numbers.lowest], [9, 2], "ends")
  expectEqual([0, 2, 3, 8, 9, .max].map { numbers.unread(after: $0) }, [4, 3, 3, 1, 0, 0], "unread")
  expectEqual([0, 1, 3, 4, 9].map { numbers.floor(ofNewest: $0) }, [.max, 9, 4, 0, 0], "floors")
  expectEqual([0, 2, 3].map { numbers.hasOlder(than: $0) }, [false, false, true], "older ones")
  numbers.remove(7)
  numbers.remove(8)
  numbers.append(10)
  expectEqual(numbers.numbers, [2, 4, 9, 10], "changed")
  numbers.remove(10)
  expectEqual(numbers.newest, 9, "the one before")
  let empty = RecentNumbers()
  expectEqual([empty.floor(ofNewest: 3), Int64(empty.unread(after: 0))], [0, 0], "nothing")
  expect(!empty.hasOlder(than: 5) && !empty.isShort(afterDeleting: 9), "nothing below")
}

@Test func `numbers are exact up to a thousand`() {
  var numbers = RecentNumbers(newestFirst: (1...1_001).reversed().map { Int64($0 + 100) })
  expect(numbers.isCut && numbers.hasOlder(than: 0), "older ones may exist")
  expectEqual(numbers.unread(after: 0), 1_000, "as many as are counted")
  expect(!numbers.isShort(afterDeleting: 1), "enough for one deletion")
  expect(numbers.isShort(afterDeleting: 2), "not for two")
  expectEqual(numbers.floor(ofNewest: 2_000), 101, "no lower than what is listed")
  numbers.remove(101)
  numbers.remove(102)
  numbers.extend(older: [100, 99, 98].map { message($0) }, reachedEnd: false)
  expectEqual(numbers.lowest, 98, "extended")
  expect(numbers.isCut, "more below")
  numbers.extend(older: [98, 97].map { message($0) }, reachedEnd: true)
  expectEqual(numbers.numbers.prefix(3), [97, 98, 99], "nothing twice")
  expect(!numbers.isCut, "the end")
  for number in 2_000..<2_300 { numbers.append(Int64(number)) }
  expect(numbers.numbers.count <= 1_257 && numbers.numbers.count > 1_000 && numbers.isCut, "bounded: \(numbers.numbers.count)")
}

@Test func `deletions in a long conversation fetch older numbers`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  fixture.call(.join, by: "bob")
  fixture.mode = .waits
  for index in 0..<1_300 { fixture.begin(.text("\(index)"), by: "ann") }
  fixture.releaseAll()
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  let watcher = fixture.subscribe(.conversation, by: "bob")
  expectEqual(fixture.conversation(watcher)?.unreadMessageCount, 1_000, "no more than a thousand")
  for expected in [1_000, 1_000, 1_000, 900] {
    fixture.mode = .waits
    let before = fixture.store.answer(.messages(fixture.id, .newest, limit: 100))
    guard case .messages(let page) = before else { return expect(false, "a page") }
    for message in page.messages { fixture.begin(.deleteMessage(MessageID(message.number, in: fixture.id)), by: "ann") }
    fixture.releaseAll()
    expectEqual(fixture.conversation(watcher)?.unreadMessageCount, expected, "exact below")
  }
}

private func message(_ number: MessageNumber, by sender: String? = nil) -> MessageRecord {
  MessageRecord(
    number: number, revision: number, type: .user, sender: sender.map { UserID(stored: $0) }, custom: CustomFields(), createdAt: number,
    editedAt: nil, referenced: nil, origin: .web, content: ContentBlock.plain("x"), isDeleted: false)
}

@Test func `what is left where senders are hidden is counted once the senders are known`() {
  let (loud, calm) = (UserID(stored: "loud"), UserID(stored: "calm"))
  var numbers = RecentNumbers(newestFirst: [6, 5, 4, 3, 2, 1])
  numbers.append(7, by: loud)
  expectEqual(numbers.unread(after: 0, hiding: [loud]), 7, "nobody is known yet")
  expect(!numbers.hasSender(loud), "nor asked about")
  numbers.take(senders: [1: calm, 2: loud, 4: loud, 5: calm, 7: loud])
  numbers.take(senders: [1: loud])
  numbers.append(8, by: calm)
  numbers.append(9)
  expect(numbers.hasSender(loud) && numbers.hasSender(calm) && !numbers.hasSender(UserID(stored: "x")), "known")
  // 1 calm, 2 loud, 3 -, 4 loud, 5 calm, 6 -, 7 loud, 8 calm, 9 -
  expectEqual(numbers.newest(3, hiding: [loud]), [9, 8, 6], "the newest")
  expectEqual(numbers.newest(9, hiding: [loud, calm]), [9, 6, 3], "all that are left")
  for (marker, hidden, count) in [(0, [loud], 6), (0, [], 9), (5, [loud], 3), (6, [loud, calm], 1), (9, [loud], 0)]
    as [(MessageNumber, Set<UserID>, Int)]
  {
    expectEqual(numbers.unread(after: marker, hiding: hidden), count, "after \(marker) without \(hidden)")
    expectEqual(numbers.count(from: marker + 1, hiding: hidden), count, "from \(marker + 1) without \(hidden)")
  }
  expectEqual(numbers.unread(after: .max, hiding: [loud]), 0, "after all")
  for (count, hidden, floor) in [(3, [loud], 6), (2, [], 8), (9, [loud], 0), (0, [loud], .max)] as [(Int, Set<UserID>, MessageNumber)] {
    expectEqual(numbers.floor(ofNewest: count, hiding: hidden), floor, "\(count) without \(hidden)")
  }
  for number: MessageNumber in [2, 4, 7, 3] { numbers.remove(number) }
  expect(!numbers.hasSender(loud), "all of theirs are deleted")
  numbers.extend(older: [message(0, by: "loud"), message(-1)], reachedEnd: true)
  expect(numbers.hasSender(loud), "an older one is found")
}

@Test func `the senders of messages that are dropped are forgotten`() {
  var numbers = RecentNumbers()
  numbers.take(senders: [:])
  numbers.append(1, by: UserID(stored: "early"))
  for number in 2...2_000 as ClosedRange<MessageNumber> { numbers.append(number, by: UserID(stored: "late")) }
  expect(!numbers.hasSender(UserID(stored: "early")) && numbers.hasSender(UserID(stored: "late")), "the oldest gave way")
  expectEqual(numbers.senders?.count, numbers.numbers.count, "one for each")
  expectEqual(numbers.floor(ofNewest: 5, hiding: [UserID(stored: "late")]), numbers.lowest, "as deep as is known")
  expectEqual(numbers.unread(after: 0, hiding: [UserID(stored: "x")]), ChatSettings.maxUnread, "no further than is counted")
}
