import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ActivityPaceTests {
  @Test func `activity is written when the last time is an interval old, or of a clock that went back`() {
    let moment = Moment(wall: 100_000, tick: 7)
    let cases: [(Timestamp?, isDue: Bool, dueAt: UInt64?)] = [
      (nil, true, nil), (100_000, false, 60_007), (99_000, false, 59_007), (40_001, false, 8), (40_000, true, nil), (0, true, nil),
      (100_001, true, nil), (.min, true, nil), (.max, true, nil),
    ]
    for (lastActiveAt, isDue, dueAt) in cases {
      var pace = ActivityPace(intervalMs: 60_000)
      expectEqual(pace.isDue(since: lastActiveAt, at: moment), isDue, "\(String(describing: lastActiveAt))")
      expectEqual(pace.dueAt, dueAt, "\(String(describing: lastActiveAt)), next")
      pace.postpone(at: moment)
      expectEqual(pace.dueAt, 60_007, "after a failure")
      pace.stop()
      expectEqual(pace.dueAt, nil, "nobody is connected")
    }
    var never = ActivityPace(intervalMs: nil)
    expect(!never.isKept && !never.isDue(since: nil, at: moment), "not kept")
    never.postpone(at: moment)
    expectEqual(never.dueAt, nil, "never")
  }
}
