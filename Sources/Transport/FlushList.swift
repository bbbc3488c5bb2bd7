/// The handlers that want to be flushed, in two arrays that change places, so that their memory is used again.
struct FlushList {
  private var waiting: [any SocketHandler] = []
  private var passing: [any SocketHandler] = []
  private var position = 0

  /// Whether nobody waits for the next pass.
  var isEmpty: Bool { waiting.isEmpty }

  /// Adds a handler to the next pass.
  mutating func append(_ handler: any SocketHandler) {
    waiting.append(handler)
  }

  /// Begins a pass over all that wait.
  mutating func beginPass() {
    swap(&waiting, &passing)
    position = 0
  }

  /// The next handler of the pass; after the last one the pass has ended.
  mutating func next() -> (any SocketHandler)? {
    guard position < passing.count else {
      passing.removeAll(keepingCapacity: true)
      return nil
    }
    defer { position += 1 }
    return passing[position]
  }
}
