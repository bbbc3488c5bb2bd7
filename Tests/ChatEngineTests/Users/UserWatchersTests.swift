import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserWatchersTests {
  @Test func `each watcher sees what it has not seen, in order, and a hidden one nothing`() {
    let ann = UserSamples.record(UserSamples.ann)
    let other = UserSamples.record(UserSamples.ann, name: "Anne")
    let id = UserSamples.ann
    let online = { (record: UserRecord, isConnected: Bool) in
      TopicSnapshot.online(OnlineSnapshot(user: record.snapshot, isConnected: isConnected))
    }
    var watchers = UserWatchers()
    expect(watchers.isEmpty, "nobody watches at first")
    for number: UInt64 in [9, 8, 7, 6, 5] {
      let action = watchers.add(UserSamples.subscriber(number), to: .user, isVisible: number != 6, ann, isConnected: true, of: id)
      let seen = TopicSnapshot.user(number == 6 ? nil : ann.snapshot)
      expectEqual(action, .publish(.user(id), seen, to: [UserSamples.subscriber(number)]), "watcher \(number)")
    }
    expectEqual(
      watchers.add(UserSamples.subscriber(1), to: .online, isVisible: true, ann, isConnected: true, of: id),
      .publish(.online(id), online(ann, true), to: [UserSamples.subscriber(1)]), "a watcher of presence")
    expectEqual(
      watchers.add(UserSamples.subscriber(2), to: .online, isVisible: false, ann, isConnected: true, of: id),
      .publish(.online(id), .online(nil), to: [UserSamples.subscriber(2)]), "a hidden watcher of presence")
    expectEqual(watchers.publish(ann, isConnected: true, of: id), [], "nothing is new")
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
    watchers.remove(UserSamples.subscriber(1))
    expectEqual(
      watchers.publish(nil, isConnected: false, of: id),
      [.publish(.user(id), .user(nil), to: [4, 5, 7, 8, 9].map { UserSamples.subscriber($0) })], "gone")
    for number: UInt64 in 2...9 { watchers.remove(UserSamples.subscriber(number)) }
    expect(watchers.isEmpty, "nobody watches at last")
  }
}
