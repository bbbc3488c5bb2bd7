import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Test func `leases begin, are renewed and end`() {
  var typing = TypingMachine()
  let ann = UserID(stored: "ann")
  let bob = UserID(stored: "bob")
  expect(typing.isEmpty && typing.nextEnd == nil, "nobody")
  expect(typing.begin(.start, of: ann, until: 5), "ann begins")
  expect(!typing.begin(.start, of: ann, until: 7), "renewed")
  expect(!typing.begin(.mark, of: ann, until: 10), "a second lease")
  expect(typing.begin(.mark, of: bob, until: 6), "bob begins")
  expectEqual(typing.order, [ann, bob], "longest first")
  expectEqual(typing.expire(now: 4), [], "too early")
  expectEqual(typing.expire(now: 5), [], "renewed since")
  expectEqual(typing.nextEnd, 6, "bob's")
  expect(!typing.stop(ann, now: 5), "the mark stays")
  expectEqual(typing.expire(now: 6), [bob], "bob ends")
  expectEqual(typing.expire(now: 10), [ann], "ann ends")
  expectEqual(typing.nextEnd, nil, "nobody")
  expect(!typing.end(ann) && !typing.stop(ann, now: 11), "nothing to end")
  _ = typing.begin(.start, of: ann, until: 20)
  expect(typing.stop(ann, now: 12) && typing.isEmpty, "stopped")
  _ = typing.begin(.start, of: ann, until: 20)
  _ = typing.begin(.start, of: bob, until: 20)
  expect(typing.end(ann) && typing.contains(bob) && !typing.contains(ann), "ended")
  expectEqual(typing.snapshot(for: bob, users: UserCache()), .few([]), "not oneself")
  expectEqual(typing.snapshot(for: nil, hiding: [bob], users: UserCache()), .few([]), "nor whom one muted")
  expectEqual(typing.endAll(), [bob], "all")
  expect(typing.isEmpty, "nobody")
}
