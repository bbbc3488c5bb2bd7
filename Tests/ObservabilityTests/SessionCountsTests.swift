import TestSupport
import Testing

@testable import Observability

@Test func `sessions are counted by who has them, and tokens by why they were refused`() {
  var counts = SessionCounts()
  counts.close(.guest)
  for kind in SessionCounts.Kind.allCases { counts.open(kind) }
  counts.open(.user)
  counts.close(.user)
  counts.refuse(.expired)
  expectEqual(SessionCounts.Kind.allCases.map { counts.opened($0) }, [2, 1, 1, 1], "opened")
  expectEqual(SessionCounts.Kind.allCases.map { counts.current($0) }, [1, 1, 1, 0], "open now")
  var both = SessionCounts()
  both.close(.app)
  expectEqual(both.current(.app), 0, "never below nothing")
  both.merge(counts)
  both.merge(counts)
  expectEqual(SessionCounts.Kind.allCases.map { both.current($0) }, [2, 2, 1, 0], "merged")
  expectEqual(SessionCounts.Refusal.allCases.map { both.refused($0) }, [0, 0, 2, 0, 0, 0], "refused")
  expectEqual(SessionCounts.Kind.allCases.map(\.label), ["user", "bot", "app", "guest"], "kinds")
  expectEqual(
    SessionCounts.Refusal.allCases.map(\.label), ["malformed", "signature", "expired", "not_yet_valid", "claims", "session"], "reasons")
}
