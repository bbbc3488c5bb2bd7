/// When which connection is closed while the gateway stops: a few at each step, so that not all come back at once.
struct DrainPlan: Equatable {
  /// What happens at one step.
  enum Step: Equatable {
    /// Close these connections, unless they have an answer to wait for.
    case close([UInt64])
    /// Close these connections, answered or not.
    case closeAll([UInt64])
    /// Free what is left: the time for farewells is over too.
    case freeAll
  }

  /// Milliseconds between two steps.
  static let stepMs: UInt64 = 100
  /// A batch is at least so large: few connections need no long goodbye.
  static let smallestBatch = 20

  private var waiting: [UInt64]
  private let batch: Int
  private let lastCall: UInt64
  private let deadline: UInt64

  /// Plans for connections by their numbers.
  ///
  /// - Parameters:
  ///   - connections: Those that are to be closed.
  ///   - drainMs: The time for closing: four fifths for the batches, the rest for answers under way. At its end the last close frame goes out.
  ///   - farewellMs: How much longer a connection may take to say goodbye.
  ///   - now: The loop's clock, milliseconds.
  init(connections: [UInt64], drainMs: UInt64, farewellMs: UInt64, now: UInt64) {
    waiting = connections
    let steps = Int(clamping: max(1, drainMs / 5 &* 4 / Self.stepMs))
    batch = max(Self.smallestBatch, connections.count / steps + (connections.count % steps == 0 ? 0 : 1))
    lastCall = now &+ drainMs
    deadline = lastCall &+ farewellMs
  }

  /// Says what is to be done now.
  mutating func step(at now: UInt64) -> Step {
    guard now < deadline else { return .freeAll }
    let isLast = now >= lastCall
    let count = isLast ? waiting.count : min(batch, waiting.count)
    let due = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    return isLast ? .closeAll(due) : .close(due)
  }

  /// Puts a connection back that still waits for an answer.
  mutating func postpone(_ number: UInt64) { waiting.append(number) }
}
