import TestSupport
import Testing

@testable import Gateway

@Suite struct SessionTermTests {
  @Test func `the end is announced once, and comes after the grace, or with the leeway`() {
    // When the token was taken, as seconds from its end, and what is due when.
    let cases: [(name: String, taken: Int64, steps: [(at: Int64, SessionTerm.Step, next: Int64)])] = [
      ("long before", -3_600, [(-61, .wait, -60), (-60, .announce, 5), (0, .wait, 5), (4, .wait, 5), (5, .end, 5)]),
      ("within the notice", -1, [(-1, .announce, 5), (4, .wait, 5), (5, .end, 5)]),
      ("at its end", 0, [(0, .announce, 30), (5, .wait, 30), (29, .wait, 30), (30, .end, 30)]),
      ("within the leeway, beyond the grace", 20, [(20, .announce, 30), (21, .wait, 30), (30, .end, 30)]),
      ("late, beyond all", 29, [(31, .end, -60)]),
      ("a clock that jumps", -3_600, [(100, .end, -60)]),
    ]
    for (name, taken, steps) in cases {
      for expiry: Int64 in [0, 1_900_000_000, 9_007_199_254_740] {
        var term = SessionTerm(expiresAt: expiry, takenAt: expiry + taken)
        for (at, step, next) in steps {
          expectEqual(term.step(at: expiry + at), step, "\(name): at \(at) of \(expiry)")
          expectEqual(term.nextDeadline, expiry + next, "\(name): the next deadline after \(at) of \(expiry)")
        }
      }
    }
  }
}
