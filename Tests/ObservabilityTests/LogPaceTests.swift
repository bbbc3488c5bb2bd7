import TestSupport
import Testing

@testable import Observability

@Test func `a kind has so many lines a second, and what was too much is told once`() {
  let most = 50
  var pace = LogPace(linesPerSecond: most)
  func arrive(_ name: String, _ count: Int, at now: Int64) -> [LogPace.Verdict] {
    (0..<count).map { _ in pace.arrived(name, at: now) }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
  expectEqual(arrive("a", most, at: 5_000), [.write], "as many as may be")
  expectEqual(arrive("a", 3, at: 5_400), [.dropAndSettle(afterMs: 600), .drop], "too much")
  expectEqual(arrive("b", 1, at: 5_400), [.write], "another kind is not its fault")
  expectEqual(arrive("a", most + 1, at: 6_000), [.write, .drop], "a new second, before the old one was told")
  expectEqual(pace.settle("a"), 4, "told")
  expectEqual(pace.settle("a"), 0, "once")
  expectEqual(pace.settle("never"), 0, "of nothing")
  expectEqual(arrive("a", 1, at: 6_999), [.dropAndSettle(afterMs: 1)], "still the same second")
  expectEqual(arrive("a", 1, at: 2_000), [.write], "a clock that was set back")
  expectEqual(arrive("a", 1, at: .min), [.write], "by much")
  expectEqual(arrive("a", 1, at: .max), [.write], "a clock that was set forward")
}

@Test func `kinds that nobody thought of share one, so that the pace itself stays small`() {
  let most = 50
  var pace = LogPace(linesPerSecond: most)
  let before = LogPace.maxKinds
  for index in 0..<before { expectEqual(pace.arrived("kind \(index)", at: 0), .write, "kind \(index)") }
  let verdicts = (0..<most + 2).map { pace.arrived("late \($0)", at: 0) }
  expectEqual(verdicts.suffix(3), [.write, .dropAndSettle(afterMs: 1_000), .drop], "those that come late")
  expectEqual(pace.settle("late 9"), 2, "told together")
  expectEqual(pace.arrived("kind 0", at: 0), .write, "the others are still their own")
}

@Test func `no bound writes everything`() {
  for bound in [nil, 0, -1] {
    var pace = LogPace(linesPerSecond: bound)
    expect((0..<1_000).allSatisfy { _ in pace.arrived("a", at: 0) == .write }, "\(String(describing: bound))")
  }
}
