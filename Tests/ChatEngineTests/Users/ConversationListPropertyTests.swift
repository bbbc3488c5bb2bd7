import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ConversationListPropertyTests {
  private static let cap = 6
  private static let settings: ChatSettings = {
    var settings = ChatSettings()
    settings.conversations = ChatSettings.Window(initial: 3, maxPage: 4, defaultPage: 2)
    settings.maxWindowItems = cap
    return settings
  }()

  /// One about what changes with each reading, one about a time that most messages are beyond.
  private static let filters: [ConversationFilter?] = {
    var (unread, late) = (ConversationConditions(), ConversationConditions())
    unread.isUnread = true
    late.lastMessageAt = .above(115)
    return [ConversationFilter(anyOf: [unread]), ConversationFilter(anyOf: [unread, late])]
  }()

  /// What a subscriber saw last.
  private static func seen(_ subscriber: SubscriberID, _ harness: ListHarness) -> ([ConversationSnapshot], loadedAll: Bool)? {
    guard case .conversations(let list, let loadedAll)? = harness.shown[subscriber] else { return nil }
    return (list, loadedAll)
  }

  /// When nothing is under way, each subscriber sees the top of the true list.
  private static func check(_ harness: ListHarness, _ comment: String) {
    expectEqual(harness.faults, [], comment)
    let truth = harness.world.snapshots(harness.filter)
    for subscriber in harness.subscribers {
      guard let (list, loadedAll) = seen(subscriber, harness) else {
        expect(false, "\(comment): \(subscriber) sees nothing")
        continue
      }
      expectEqual(list, Array(truth.prefix(list.count)), comment)
      expect(list.count <= cap, "\(comment): too many")
      expectEqual(loadedAll, list.count == truth.count, "\(comment): loadedAll of \(list.count) of \(truth.count)")
    }
  }

  /// A list that nothing else happens to grows by exactly what is asked for.
  private static func checkGrowth(_ harness: inout ListHarness, _ comment: String) {
    guard let subscriber = harness.subscribers.first, let (before, wasAll) = seen(subscriber, harness) else { return }
    let count = harness.draw(4) + 1
    let total = harness.world.snapshots(harness.filter).count
    let call = harness.loadMore(subscriber, count)
    let second = harness.loadMore(subscriber, nil)
    harness.settle()
    guard let (after, isAll) = seen(subscriber, harness) else { return }
    let room = cap - before.count
    let expected = wasAll || room == 0 ? before.count : min(total, before.count + min(count, room))
    expectEqual(after.count, expected, "\(comment): \(before.count) of \(total) and \(count)")
    expectEqual(isAll, wasAll || (room > 0 && expected == total), "\(comment): \(before.count) of \(total) and \(count)")
    switch harness.replies[call] {
    case .success(.loadedAll(let all)): expectEqual(all, isAll, comment)
    case .failure(let error): expectEqual([error.kind == .limitExceeded, room == 0], [true, true], comment)
    default: expect(false, "\(comment): no reply")
    }
    expectEqual(harness.replies[second], harness.replies[call], "\(comment): callers in parallel load one page")
    // The floor is known where a page has just moved it.
    if isAll || after.count > before.count { checkFloor(&harness, subscriber, comment) }
  }

  /// From a known floor on, the window shows everything above it, whatever happens next.
  private static func checkFloor(_ harness: inout ListHarness, _ subscriber: SubscriberID, _ comment: String) {
    guard let (list, isAll) = seen(subscriber, harness), let last = list.last else { return }
    let depth = isAll ? ListDepth.end : .floor(ListCursor(activity: last.activity, conversation: last.id))
    harness.changeWorld()
    harness.settle()
    let truth = harness.world.snapshots(harness.filter).filter { depth.reaches(ListCursor(activity: $0.activity, conversation: $0.id)) }
    expectEqual(seen(subscriber, harness)?.0, Array(truth.prefix(cap)), "\(comment): from a known floor on")
  }

  @Test func `whatever arrives in whatever order, each subscriber ends with the true list`() {
    for seed in 1...150 {
      // The list through a filter is the whole list of which the filter takes its part.
      let filter = seed.isMultiple(of: 3) ? nil : Self.filters[seed % 2]
      var harness = ListHarness(seed: UInt64(seed), filter: filter, settings: Self.settings)
      var calls: [CallID] = []
      for _ in 0..<harness.draw(14) { harness.changeWorld() }
      for round in 1...12 {
        for _ in 0..<harness.draw(12) {
          switch harness.draw(12) {
          case 0: if harness.subscribers.count < 3 { _ = harness.subscribe() }
          case 1: if harness.subscribers.count > 1 || harness.draw(4) == 0, let one = harness.subscribers.first { harness.unsubscribe(one) }
          case 2: if let one = harness.subscribers.last { calls.append(harness.loadMore(one, harness.draw(4) + 1)) }
          case 3, 4, 5, 6: harness.changeWorld()
          default: _ = harness.arrive(mayFail: true)
          }
        }
        harness.settle()
        Self.check(harness, "seed \(seed), round \(round)")
        Self.checkGrowth(&harness, "seed \(seed), round \(round)")
        Self.check(harness, "seed \(seed), round \(round), grown")
      }
      for call in calls { expect(harness.replies[call] != nil, "seed \(seed): a call without a reply") }
    }
  }
}
