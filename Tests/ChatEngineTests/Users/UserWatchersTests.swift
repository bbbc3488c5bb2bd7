import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserWatchersTests {
  @Test func `each watcher sees what it has not seen, in order, and a hidden guest nothing`() {
    let ann = UserSamples.record(UserSamples.ann)
    let other = UserSamples.record(UserSamples.ann, name: "Anne")
    let (id, guest) = (UserSamples.ann, UserSamples.guest)
    let online = { (record: UserRecord, isConnected: Bool) in
      TopicSnapshot.online(OnlineSnapshot(user: record.snapshot, isConnected: isConnected))
    }
    var watchers = UserWatchers()
    expect(watchers.isEmpty, "nobody watches at first")
    for number: UInt64 in [9, 8, 7, 6, 5] {
      let action = watchers.add(
        UserSamples.subscriber(number), to: .user, guest: number == 6 ? guest : nil, isVisible: number != 6, ann, isConnected: true, of: id)
      let seen = TopicSnapshot.user(number == 6 ? nil : ann.snapshot)
      expectEqual(action, .publish(.user(id), seen, to: [UserSamples.subscriber(number)]), "watcher \(number)")
    }
    expectEqual(
      watchers.add(UserSamples.subscriber(1), to: .online, isVisible: true, ann, isConnected: true, of: id),
      .publish(.online(id), online(ann, true), to: [UserSamples.subscriber(1)]), "a watcher of presence")
    expectEqual(
      watchers.add(UserSamples.subscriber(2), to: .online, guest: guest, isVisible: false, ann, isConnected: true, of: id),
      .publish(.online(id), .online(nil), to: [UserSamples.subscriber(2)]), "a hidden watcher of presence")
    expectEqual(watchers.publish(ann, isConnected: true, of: id), [], "nothing is new")
    let settle = { (watchers: inout UserWatchers, isVisible: Bool) in
      watchers.doubt(guest)
      _ = watchers.takeDoubted(atMost: 9)
      watchers.settle(guest, isVisible: isVisible)
    }
    settle(&watchers, false)
    expectEqual(
      watchers.publish(ann, isConnected: false, of: id), [.publish(.online(id), online(ann, false), to: [UserSamples.subscriber(1)])],
      "offline")
    expectEqual(
      watchers.publish(other, isConnected: false, of: id),
      [
        .publish(.user(id), .user(other.snapshot), to: [5, 7, 8, 9].map { UserSamples.subscriber($0) }),
        .publish(.online(id), online(other, false), to: [UserSamples.subscriber(1)]),
      ], "a new name")
    expectEqual(
      watchers.add(UserSamples.subscriber(4), to: .user, isVisible: true, other, isConnected: false, of: id),
      .publish(.user(id), .user(other.snapshot), to: [UserSamples.subscriber(4)]), "a late watcher")
    expectEqual(watchers.remove(UserSamples.subscriber(1)), nil, "no guest")
    settle(&watchers, true)
    expectEqual(
      watchers.publish(other, isConnected: false, of: id),
      [
        .publish(.user(id), .user(other.snapshot), to: [UserSamples.subscriber(6)]),
        .publish(.online(id), online(other, false), to: [UserSamples.subscriber(2)]),
      ], "the guest sees the user")
    for (mover, expected) in [(UserSamples.bob, false), (guest, true), (nil, true)] {
      watchers.doubt(mover)
      expectEqual(watchers.hasDoubts, expected, "only guests who watch are in doubt")
    }
    watchers.settle(guest, isVisible: true)
    expectEqual(
      watchers.publish(nil, isConnected: false, of: id),
      [.publish(.user(id), .user(nil), to: [4, 5, 7, 8, 9].map { UserSamples.subscriber($0) })], "gone; nobody asked about the guest")
    expectEqual([watchers.takeDoubted(atMost: 9), watchers.takeDoubted(atMost: 9)], [[guest], []], "asked once")
    watchers.settle(guest, isVisible: true)
    expectEqual(watchers.publish(nil, isConnected: false, of: id), [], "nobody was asked about last")
    watchers.doubt(guest)
    expectEqual(watchers.takeDoubted(atMost: 9), [guest], "asked again")
    watchers.settle(guest, isVisible: true)
    expectEqual(watchers.publish(nil, isConnected: false, of: id).count, 2, "now the guest too")
    expectEqual(watchers.remove(UserSamples.subscriber(2)), nil, "one topic of two")
    expect(watchers.isWatching(guest), "the other is left")
    watchers.doubt(guest)
    expectEqual(watchers.remove(UserSamples.subscriber(6)), guest, "the last topic of the guest")
    expectEqual(watchers.takeDoubted(atMost: 9), [], "nobody is in doubt")
    expect(!watchers.isWatching(guest), "watches no more")
    expectEqual(watchers.remove(UserSamples.subscriber(6)), nil, "once")
    for number: UInt64 in 2...9 { _ = watchers.remove(UserSamples.subscriber(number)) }
    expect(watchers.isEmpty, "nobody watches at last")
  }

  @Test func `guests are asked about some at a time, and one who watches anew is asked about anew`() {
    let guests = (0..<5).map { UserID(stored: "guest-\($0)") }
    let ann = UserSamples.record(UserSamples.ann)
    var watchers = UserWatchers()
    let watch = { (watchers: inout UserWatchers, number: Int) in
      _ = watchers.add(
        UserSamples.subscriber(UInt64(number)), to: .user, guest: guests[number], isVisible: false, nil, isConnected: false, of: ann.id)
    }
    for number in guests.indices { watch(&watchers, number) }
    watchers.doubt(nil)
    var taken: [UserID] = []
    for count in [2, 2, 1, 0] {
      let some = watchers.takeDoubted(atMost: 2)
      expectEqual(some.count, count, "after \(taken.count)")
      taken += some
    }
    expectEqual(taken.sorted(), guests, "each once")
    watchers.doubt(guests[0])
    expectEqual(watchers.takeDoubted(atMost: 2), [guests[0]], "asked")
    watchers.doubtAsked()
    expectEqual(watchers.takeDoubted(atMost: 2), [guests[0]], "the store did not say")
    expectEqual(watchers.remove(UserSamples.subscriber(0)), guests[0], "watches no more")
    watch(&watchers, 0)
    watchers.settle(guests[0], isVisible: true)
    expectEqual(watchers.publish(ann, isConnected: true, of: ann.id), [], "that was said of the one before")
    watchers.doubtAsked()
    expect(!watchers.hasDoubts, "nor is it asked again for that one")
  }
}
