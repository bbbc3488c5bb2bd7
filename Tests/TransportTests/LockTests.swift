import Glibc
import Locks
import TestSupport
import Testing

@Suite struct LockTests {
  @Test func `counting from four threads loses nothing, and an error leaves the lock open`() async {
    let lock = Lock(0)
    await Threads.run(4) { _ in
      for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
    }
    expectEqual(lock.withLock { $0 }, 40_000, "sum")

    struct Refusal: Error {}
    do throws(Refusal) {
      try lock.withLock { _ throws(Refusal) in throw Refusal() }
      expect(false, "the error passes through")
    } catch {}
    expectEqual(lock.withLock { $0 }, 40_000, "open after an error")
  }
}
