import ChatEngine

/// Owns one reading connection.
actor Reader {
  private nonisolated let executor = QueueExecutor(label: "parley.store.reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var answers: QueryAnswers?

  /// Takes over a connection whose schema is up to date.
  init(_ database: sending Database) throws(StoreError) { answers = try QueryAnswers(database) }

  /// Answers from a view that is opened after the call.
  nonisolated func read(_ queries: [StoreQuery], done: @escaping @Sendable (Result<[StoreAnswer], StoreError>) -> Void) {
    perform { done($0.answer(queries)) }
  }

  /// Closes the connection behind all reads that were made before.
  nonisolated func close(done: @escaping @Sendable () -> Void) {
    perform { reader in
      reader.answers = nil
      done()
    }
  }

  private nonisolated func perform(_ body: @escaping @Sendable (isolated Reader) -> Void) {
    executor.perform { self.assumeIsolated { body($0) } }
  }

  private func answer(_ queries: [StoreQuery]) -> Result<[StoreAnswer], StoreError> {
    guard let answers else { return .failure(.closed) }
    do throws(StoreError) { return .success(try answers.answer(queries)) } catch { return .failure(error) }
  }
}
