import Dispatch
import Glibc

/// Real threads for tests of what threads share.
enum Threads {
  /// Runs `body` on so many threads at the same time and waits for all.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        let queue = DispatchQueue(label: "test.thread.\(index)")
        group.addTask {
          await withCheckedContinuation { continuation in
            queue.async {
              body(index)
              continuation.resume()
            }
          }
        }
      }
    }
  }
}
