import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserSessionsTests {
  @Test func `sessions are added, refreshed, sorted and taken away`() {
    var sessions = UserSessions()
    expect(sessions.isEmpty, "none at first")
    sessions.add(UserSamples.session(3, openedAt: 1))
    sessions.add(UserSamples.session(1, openedAt: 3))
    sessions.add(UserSamples.session(2, openedAt: 2))
    expectEqual(sessions.records.map(\.openedAt), [1, 2, 3], "the oldest first")
    expectEqual(sessions.endpoints, [1, 2, 3].map { UserSamples.endpoint($0) }, "by connection")
    sessions.refresh(UserSamples.endpoint(2), expiresAt: 77)
    sessions.refresh(UserSamples.endpoint(9), expiresAt: 77)
    expectEqual(sessions.records.map(\.expiresAt), [nil, 77, nil], "one was refreshed")
    expectEqual([1, 1, 2, 3].map { sessions.remove(UserSamples.endpoint($0)) }, [true, false, true, true], "each goes once")
    expect(sessions.isEmpty, "none at last")
  }
}
