import TestSupport
import Testing

@testable import ChatSDK

@Suite struct SendPaceTests {
  @Test func `waits grow by the factor, and the burst ends where nothing waits at the end of the last`() {
    var pace = SendPace(base: 1_000, factor: 2)
    expectEqual((0..<5).map { _ in pace.place(at: 0) }, [0, 1_000, 3_000, 7_000, 15_000])
    expectEqual(pace.place(at: 20_000), 11_000, "in the last wait, so part of the burst")
    expectEqual(pace.place(at: 63_000), 0, "a new one")
    expectEqual(pace.place(at: 63_000), 1_000)
    var even = SendPace(base: 100, factor: 1)
    expectEqual((0..<4).map { _ in even.place(at: 5) }, [0, 100, 200, 300])
    var free = SendPace(base: 0, factor: 9)
    expectEqual((0..<100).map { _ in free.place(at: 1) }, Array(repeating: 0, count: 100))
  }

  @Test func `a wait that is too long, and a queue that is, are refused`() {
    var pace = SendPace(base: 1_000, factor: 2)
    expectEqual((0..<8).map { _ in pace.place(at: 0) }, [0, 1_000, 3_000, 7_000, 15_000, 31_000, nil, nil])
    expectEqual(pace.delay(at: 0), 63_000)
    var queue = SendPace(base: 10, factor: 1)
    expectEqual((0..<22).map { _ in queue.place(at: 0) }.last, .some(nil))
    expectEqual(queue.place(at: 50), 160, "five went")
    var steep = SendPace(base: .max, factor: .max)
    expectEqual((0..<3).map { _ in steep.place(at: 7) }, [0, nil, nil])
  }
}
