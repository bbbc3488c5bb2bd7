import ChatEngine
import Locks

/// A few readers; a read goes to the one with the least to do.
final class ReaderPool: Sendable {
  private let readers: [Reader]
  /// Reads that each reader has been given and has not answered.
  private let pending: Lock<[Int]>

  /// Takes at least one reader.
  init(_ readers: [Reader]) {
    self.readers = readers
    pending = Lock(Array(repeating: 0, count: readers.count))
  }

  /// Answers from one view that holds every commit acknowledged before the call.
  func read(_ queries: [StoreQuery], done: @escaping @Sendable (Result<[StoreAnswer], StoreError>) -> Void) {
    let choice = pending.withLock { pending in
      let index = pending.indices.min { pending[$0] < pending[$1] }
      if let index { pending[index] += 1 }
      return index
    }
    guard let choice else { return done(.failure(.closed)) }
    readers[choice].read(queries) { [pending] result in
      pending.withLock { $0[choice] -= 1 }
      done(result)
    }
  }

  /// Closes all readers behind their reads.
  func close(done: @escaping @Sendable () -> Void) { Self.close(readers[...], done: done) }

  private static func close(_ readers: ArraySlice<Reader>, done: @escaping @Sendable () -> Void) {
    guard let first = readers.first else { return done() }
    first.close { close(readers.dropFirst(), done: done) }
  }
}
