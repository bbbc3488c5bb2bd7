import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct ListNamesTests {
  @Test func `the lists of a user are known by what they hide, and by who watches them`() {
    let (ann, bob) = (UserID(stored: "ann"), UserID(stored: "bob"))
    let (whole, less) = (ListName(user: ann, muted: []), ListName(user: ann, muted: [bob]))
    let subscriber = SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1)
    var names = ListNames()
    let watch = { (names: ListNames) in [names.watch(of: ann).isWhole, names.watch(of: ann).isHiding] }
    expectEqual(watch(names), [false, false], "none")
    names.add(whole)
    names.subscribe(subscriber, to: whole)
    expectEqual([names[subscriber], ListNames()[subscriber]], [whole, nil], "who watches")
    expectEqual(watch(names), [true, false], "one that hides nobody")
    names.add(less)
    expectEqual(
      [names.lists(of: ann, hiding: false), names.lists(of: ann, hiding: true), names.lists(of: bob, hiding: true)], [[whole], [less], []],
      "by kind")
    names.subscribe(subscriber, to: less)
    names.remove(whole)
    expectEqual(watch(names), [false, true], "one that hides somebody")
    expectEqual([names.unsubscribe(subscriber), names.unsubscribe(subscriber)], [less, nil], "once")
    names.remove(less)
    expectEqual(watch(names), [false, false], "none is left")
    var conditions = ConversationConditions()
    conditions.isUnread = true
    let filtered = [[], [bob]].map { ListName(user: ann, muted: $0, filter: ConversationFilter(anyOf: [conditions])) }
    for name in filtered + [whole] { names.add(name) }
    expectEqual(Set(names.lists(of: ann, hiding: false)), [whole, filtered[0]], "each filter is a list")
    expectEqual([whole, less, filtered[0]].map(\.isWalked), [false, true, true], "which of them cost a look at everything")
  }
}
