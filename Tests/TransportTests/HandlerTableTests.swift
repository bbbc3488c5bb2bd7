import TestSupport
import Testing

@testable import Transport

@Suite struct HandlerTableTests {
  @Test func `a mark finds its handler in one life of the descriptor only`() {
    var table = HandlerTable()
    let (one, two) = (ClosureHandler(), ClosureHandler())
    let first = table.insert(one, at: 7)
    expect(first != nil, "an empty place")
    expect(table.insert(two, at: 7) == nil, "a place that is taken")
    expect(table.insert(two, at: -1) == nil, "no descriptor")
    expect(first.flatMap(table.handler) === one, "found")
    expectEqual(table.mark(of: 7), first, "the mark again")
    expect(table.remove(7), "removed")
    expect(!table.remove(7) && !table.remove(6) && !table.remove(1000) && !table.remove(-1), "nothing to remove")
    expect(table.mark(of: 7) == nil && table.mark(of: 1000) == nil && table.mark(of: -1) == nil, "no mark")
    expect(first.flatMap(table.handler) == nil, "gone")
    let second = table.insert(two, at: 7)
    expect(first.flatMap(table.handler) == nil, "an event of the first life finds nobody")
    expect(second.flatMap(table.handler) === two, "one of the second does")
    expect(table.handler(for: .max) == nil, "the mark of no descriptor")
    table.removeAll()
    expect(second.flatMap(table.handler) == nil, "all gone")
  }
}
