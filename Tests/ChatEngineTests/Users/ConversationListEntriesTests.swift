import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ConversationListEntriesTests {
  private typealias Sample = ListSamples

  /// What a window to the end shows: ids and activities.
  private static func shown(_ entries: ConversationListEntries, downTo depth: ListDepth = .end) -> [String] {
    entries.window(downTo: depth, settings: ChatSettings()).0.map { "\($0.id) \($0.activity)" }
  }

  private static func filled(_ entries: [ListPage.Entry], reachedEnd: Bool = true, next: String = "next") -> ConversationListEntries {
    var list = ConversationListEntries()
    list.beginReading()
    let depth = list.merge(Sample.page(entries, reachedEnd: reachedEnd, next: next), settings: ChatSettings())
    list.finishReading()
    list.keep(downTo: depth)
    return list
  }

  @Test func `reports move, add and remove what is kept`() {
    let floor = ListDepth.floor(Sample.cursor("c", 10))
    let cases: [(String, id: String, revision: Int64, activity: Timestamp??, isNews: Bool, [String])] = [
      ("moved up", "c", 2, 40, true, ["c 40", "a 30", "b 20"]), ("same place", "b", 1, 20, true, ["a 30", "b 20", "c 10"]),
      ("new", "d", 1, 25, true, ["a 30", "d 25", "b 20", "c 10"]),
      ("beside another, by id", "aa", 1, 30, true, ["a 30", "aa 30", "b 20", "c 10"]),
      ("new below the floor", "d", 1, 9, false, ["a 30", "b 20", "c 10"]),
      ("new at the floor, behind it", "d", 1, 10, false, ["a 30", "b 20", "c 10"]),
      ("new at the floor, before it", "bb", 1, 10, true, ["a 30", "b 20", "bb 10", "c 10"]),
      ("fallen below the floor", "a", 2, 5, true, ["b 20", "c 10"]), ("removed", "b", 2, .some(nil), true, ["a 30", "c 10"]),
      ("an unknown one removed", "d", 2, .some(nil), false, ["a 30", "b 20", "c 10"]),
      ("older than the page", "a", 0, 50, false, ["a 30", "b 20", "c 10"]),
      ("removal older than the page", "a", 0, .some(nil), false, ["a 30", "b 20", "c 10"]),
    ]
    for (name, id, revision, activity, isNews, expected) in cases {
      var list = Self.filled([Sample.entry("a", 30), Sample.entry("b", 20), Sample.entry("c", 10)], reachedEnd: false)
      let snapshot = (activity ?? nil).map { Sample.snapshot(id, $0, revision: revision) }
      expectEqual(list.note(Sample.id(id), revision: revision, snapshot), isNews, name)
      expectEqual(Self.shown(list, downTo: floor), expected, name)
    }
  }

  @Test func `with a conversation its threads leave the list`() {
    let threads = [(1, "a"), (2, "a"), (1, "b")].map { StoreContractRecords.thread($0.0, in: $0.1).text }
    let all = [Sample.entry("a", 50), Sample.entry(threads[0], 40), Sample.entry(threads[2], 30), Sample.entry(threads[1], 20)]
    var list = Self.filled(all)
    expect(list.note(Sample.id("c"), revision: 1, nil) == false, "another conversation went")
    expect(list.note(Sample.id("a"), revision: 2, nil), "the conversation went")
    expectEqual(Self.shown(list), ["\(threads[2]) 30"], "with it its threads")
    list = Self.filled(Array(all.dropFirst()))
    expect(list.note(Sample.id("a"), revision: 2, nil), "the conversation was not shown")
    expectEqual(Self.shown(list), ["\(threads[2]) 30"], "its threads were")
    list = Self.filled(all)
    expect(list.note(Sample.id("a"), revision: 2, nil, isFilteredOut: true), "a filter holds the conversation back")
    expectEqual(Self.shown(list).count, 3, "but not its threads")
    list = Self.filled(Array(all.dropFirst()))
    _ = list.note(Sample.id("a"), revision: 2, nil)
    // A page that is older than the report.
    list.beginReading()
    _ = list.note(Sample.id("a"), revision: 2, nil)
    _ = list.note(Sample.id(threads[2]), revision: .max, nil)
    _ = list.merge(Sample.page(all, reachedEnd: true), settings: ChatSettings())
    expectEqual(Self.shown(list), [], "nothing comes back with it")
    list.finishReading()
    list.beginReading()
    _ = list.merge(Sample.page(all, reachedEnd: true), settings: ChatSettings())
    expectEqual(Self.shown(list).count, 4, "a later page is right")
  }

  @Test func `the end is in doubt when the one that was known to lie below came in or went`() {
    let cases: [(String, next: String, id: String, activity: Timestamp?, isInDoubt: Bool)] = [
      ("it entered", "d", "d", 40, true), ("another entered", "d", "e", 40, false), ("at the floor, before it", "bb", "bb", 10, true),
      ("it stays below the floor", "d", "d", 5, false), ("it went", "d", "d", nil, true), ("another went", "d", "e", nil, false),
      ("moved inside", "d", "c", 40, false), ("a shown one went", "d", "c", nil, false), ("fell below the floor", "d", "a", 5, false),
    ]
    for (name, next, id, activity, isInDoubt) in cases {
      var list = Self.filled([Sample.entry("a", 30), Sample.entry("b", 20), Sample.entry("c", 10)], reachedEnd: false, next: next)
      expect(!list.isEndInDoubt, "\(name): not before")
      _ = list.note(Sample.id(id), revision: 2, activity.map { Sample.snapshot(id, $0, revision: 2) })
      expectEqual(list.isEndInDoubt, isInDoubt, name)
      list.keep(downTo: .floor(Sample.cursor("c", 10)))
      expectEqual(list.isEndInDoubt, isInDoubt, "\(name): still")
      list.keep(downTo: .end)
      expect(!list.isEndInDoubt, "\(name): not where all is known")
    }
    var list = Self.filled([Sample.entry("a", 30), Sample.entry("b", 20)], reachedEnd: false)
    list.beginReading()
    let low = { (revision: Int64) in Sample.snapshot("d", 5, revision: revision) }
    expect(list.note(Sample.id("d"), revision: 1, low(1)), "below the floor, kept while a page is read")
    _ = list.note(Sample.id("d"), revision: 2, Sample.snapshot("d", 40, revision: 2))
    expect(list.isEndInDoubt, "what was kept below came in")
    _ = list.note(Sample.id("e"), revision: 1, Sample.snapshot("e", 5))
    list.keep(downTo: .floor(Sample.cursor("b", 20)))
    expect(!list.isEndInDoubt && list.hasEntry(below: .floor(Sample.cursor("b", 20))), "something is known to lie below")
    list.doubtEnd(true)
    expect(list.isEndInDoubt, "asked for")
  }

  @Test func `reports that overtake a page win by their revision`() {
    let page = [Sample.entry("a", 30, revision: 5), Sample.entry("b", 20, revision: 5), Sample.entry("c", 10, revision: 5)]
    let cases: [(String, [(id: String, revision: Int64, activity: Timestamp?)], [String])] = [
      ("nothing", [], ["a 30", "b 20", "c 10"]), ("newer", [("c", 6, 40)], ["c 40", "a 30", "b 20"]),
      ("as new", [("c", 5, 40)], ["c 40", "a 30", "b 20"]), ("older", [("c", 4, 40)], ["a 30", "b 20", "c 10"]),
      ("removed", [("b", 6, nil)], ["a 30", "c 10"]), ("removed before it was joined again", [("b", 4, nil)], ["a 30", "b 20", "c 10"]),
      ("removed and joined again", [("b", 6, nil), ("b", 7, 50)], ["b 50", "a 30", "c 10"]),
      ("deleted and made again, whose revisions begin anew", [("b", 6, nil), ("b", 1, 50)], ["b 50", "a 30", "c 10"]),
      ("one that is not on the page", [("d", 1, 2)], ["a 30", "b 20", "c 10", "d 2"]),
    ]
    for (name, reports, expected) in cases {
      var list = ConversationListEntries()
      list.beginReading()
      for (id, revision, activity) in reports {
        _ = list.note(Sample.id(id), revision: revision, activity.map { Sample.snapshot(id, $0, revision: revision) })
      }
      expectEqual(list.merge(Sample.page(page, reachedEnd: true), settings: ChatSettings()), .end, name)
      list.finishReading()
      expectEqual(Self.shown(list), expected, name)
      _ = list.merge(Sample.page(page), settings: ChatSettings())
      expect(Self.shown(list).count >= 3, "\(name): what was reported before a page was asked for does not count")
    }
  }

  @Test func `a page says how far the list is known`() {
    let one = [Sample.entry("a", 30)]
    let cases: [(String, ListPage, ListDepth)] = [
      ("more lies behind it", Sample.page(one), .floor(Sample.cursor("a", 30))), ("the end", Sample.page(one, reachedEnd: true), .end),
      ("empty", Sample.page([], reachedEnd: true), .end), ("empty without an end", Sample.page([]), .end),
      ("no message", Sample.page([Sample.entry("b", nil)]), .floor(Sample.cursor("b", 0))),
    ]
    for (name, page, depth) in cases {
      var list = ConversationListEntries()
      expectEqual(list.merge(page, settings: ChatSettings()), depth, name)
    }
  }

  @Test func `users are shown as they are now, also by a page that was read before they changed`() {
    let entry = Sample.entry("a", 30, by: "bob", quoting: "cy")
    let old = [Sample.user("bob"), Sample.user("cy", 3), Sample.user("bob", 9)]
    var list = ConversationListEntries()
    list.beginReading()
    expect(!list.replace(Sample.user("bob", 2)), "nothing shows the user yet")
    expect(!list.replace(Sample.user("cy", 2)), "nor this one")
    _ = list.merge(Sample.page([entry], users: old, reachedEnd: true), settings: ChatSettings())
    list.finishReading()
    list.keep(downTo: .end)
    let names = { (list: ConversationListEntries) in
      list.window(downTo: .end, settings: ChatSettings()).0.flatMap { snapshot in
        [snapshot.lastMessage?.sender?.name, snapshot.lastMessage?.referencedMessage?.sender?.name]
      }
    }
    expectEqual(names(list), ["bob 2", "cy 3"], "the newer of both")
    expect(list.replace(Sample.user("cy", 4)), "the quoted sender")
    expect(list.replace(Sample.user("bob", 3)), "the sender")
    expect(!list.replace(Sample.user("dan")), "a stranger")
    expectEqual(names(list), ["bob 3", "cy 4"], "both anew")
    expectEqual(Self.mentionedAnew(), ["@cy 2 @cy 2", "true", "false"], "mentions")
    var bare = Self.filled([Sample.entry("a", nil)])
    expect(!bare.replace(Sample.user("bob")), "no message, no sender")
  }

  /// The texts of an entry and its quote, both of which mention cy, who changed; and whether somebody is shown who is, and who is not.
  private static func mentionedAnew() -> [String] {
    var entry = Sample.entry("a", 30, quoting: "bob")
    entry.lastMessage?.content = Markup.content(of: "<@cy>")
    entry.quoted?.content = Markup.content(of: "<@cy>")
    var list = filled([entry])
    let isShown = [list.replace(Sample.user("cy", 2)), list.replace(Sample.user("dan"))]
    let last = list.window(downTo: .end, settings: ChatSettings()).0.first?.lastMessage
    return ["\(last?.plaintext ?? "") \(last?.referencedMessage?.plaintext ?? "")"] + isShown.map { "\($0)" }
  }

  @Test func `a window ends at its floor, at the most items and at the most bytes`() {
    var settings = ChatSettings()
    settings.maxWindowItems = 3
    let small = [Sample.entry("a", 40), Sample.entry("b", 30), Sample.entry("c", 20), Sample.entry("d", 10)]
    let large = [Sample.entry("a", 40, size: 200_000), Sample.entry("b", 30, size: 10_000), Sample.entry("c", 20)]
    let fitting = [Sample.entry("a", 40, size: 100_000), Sample.entry("b", 30), Sample.entry("c", 20, size: 100_000)]
    let floor = { (id: String, activity: Timestamp) in ListDepth.floor(Sample.cursor(id, activity)) }
    let cases: [(String, [ListPage.Entry], ListDepth, count: Int, ListDepth)] = [
      ("the floor", small, floor("b", 30), 2, floor("b", 30)), ("a floor that left", small, floor("bb", 30), 2, floor("bb", 30)),
      ("above all", small, floor("a", 50), 0, floor("a", 50)), ("the most items", small, .end, 3, floor("c", 20)),
      ("the most items above a floor", small, floor("d", 10), 3, floor("c", 20)),
      ("exactly the most", Array(small.prefix(3)), .end, 3, .end),
      ("the most bytes", fitting, .end, 2, floor("b", 30)), ("one entry, however large", large, .end, 1, floor("a", 40)),
      ("nothing", [], .end, 0, .end),
    ]
    for (name, entries, depth, count, reached) in cases {
      let list = Self.filled(entries)
      let window = list.window(downTo: depth, settings: settings)
      expectEqual(window.0.map(\.id), entries.prefix(count).map(\.record.id), name)
      expectEqual(window.1, reached, name)
      let inside = entries.filter { depth.reaches(Sample.cursor($0.record.id.text, $0.lastMessage?.createdAt ?? 0)) }
      expectEqual(list.count(downTo: depth), inside.count, name)
    }
  }

  @Test func `what no window shows is forgotten, but not while a page is read`() {
    let all = ["a 30", "b 20"]
    var list = Self.filled([Sample.entry("a", 30), Sample.entry("b", 20)])
    list.beginReading()
    list.keep(downTo: .floor(Sample.cursor("a", 30)))
    expectEqual(Self.shown(list), all, "a page is on its way")
    list.finishReading()
    expectEqual(Self.shown(list), all, "nobody said what to keep")
    list.keep(downTo: .floor(Sample.cursor("a", 30)))
    expectEqual(Self.shown(list), ["a 30"], "down to the deepest floor")
    list.keep(downTo: nil)
    expectEqual(Self.shown(list), [], "no window")
    expect(!list.note(Sample.id("a"), revision: 9, Sample.snapshot("a", 90)), "nobody would see it")
  }
}
