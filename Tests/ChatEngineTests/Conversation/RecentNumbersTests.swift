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
  numbers.extend(older: [100, 99, 98], reachedEnd: false)
  expectEqual(numbers.lowest, 98, "extended")
  expect(numbers.isCut, "more below")
  numbers.extend(older: [98, 97], reachedEnd: true)
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
