import TestSupport
import Testing

@testable import SQLiteStore

private actor Counter {
  private nonisolated let executor = QueueExecutor(label: "test")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var values: [Int] = []

  nonisolated func add(_ value: Int) { executor.perform { self.assumeIsolated { $0.values.append(value) } } }

  func all() -> [Int] { values }
}

@Test func `an actor on a queue runs what it is given in order`() async {
  let counter = Counter()
  for value in 0..<100 { counter.add(value) }
  expectEqual(await counter.all(), Array(0..<100), "values, read by an awaited call behind them")
}
