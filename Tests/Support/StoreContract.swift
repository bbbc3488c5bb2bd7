package import ChatEngine
import ChatModel
import Testing

/// Checks that a store keeps the contract of the port.
///
/// `make` opens a new, empty store each time it is called.
package func checkStoreContract(make: () async throws -> any Store) async throws {
  for check in StoreContract.cases {
    let store = try await make()
    try await check.run(StoreUnderTest(store, check.name))
  }
  for seed in 1...StoreContract.histories {
    await StoreContract.checkHistory(StoreUnderTest(try await make(), "history of seed \(seed)"), seed: UInt64(seed))
  }
}

/// A store and the model that it is compared with.
package struct StoreUnderTest {
  private let store: any Store
  private let name: String
  private var model = StoreContractModel()

  init(_ store: any Store, _ name: String) {
    self.store = store
    self.name = name
  }

  /// Commits one set and waits for the answer, which must be that of the model.
  mutating func commit(_ changes: Change..., comment: String = "") async { await commit([ChangeSet(changes)], comment: comment) }

  /// Commits sets without waiting between them; each must be answered as the model answers it, in their order.
  mutating func commit(_ sets: [ChangeSet], comment: String = "") async {
    let errors = await store.commitAll(sets)
    for (index, set) in sets.enumerated() {
      let isKept = model.commit(set)
      expectEqual(errors[index]?.kind, isKept ? nil : .constraint, "\(name), \(comment): set \(index)")
    }
  }

  /// Compares the answers to queries with those of the model.
  func compare(_ queries: StoreQuery..., comment: String = "") async { await compare(queries, comment: comment) }

  /// Compares the answers to queries with those of the model.
  func compare(_ queries: [StoreQuery], comment: String = "") async {
    switch await store.answers(to: queries) {
    case .failure(let error): expect(false, "\(name), \(comment): \(error)")
    case .success(let answers):
      expectEqual(answers.count, queries.count, "\(name), \(comment): number of answers")
      for (query, answer) in zip(queries, answers) {
        expectEqual(StoreContractModel.normalized(answer), model.answer(query), "\(name), \(comment): \(query)")
      }
    }
  }
}

extension Store {
  /// Commits sets without waiting between them; the errors in the order of the sets.
  ///
  /// Reports an issue where the answers come in another order.
  package func commitAll(_ sets: [ChangeSet]) async -> [StoreError?] {
    guard !sets.isEmpty else { return [] }
    let (answers, continuation) = AsyncStream<(Int, StoreError?)>.makeStream()
    for (index, set) in sets.enumerated() { commit(set) { continuation.yield((index, $0)) } }
    var errors: [StoreError?] = []
    for await (index, error) in answers {
      expectEqual(index, errors.count, "order of the answers")
      errors.append(error)
      if errors.count == sets.count { break }
    }
    return errors
  }

  /// Commits a set and waits.
  package func commit(_ set: ChangeSet) async -> StoreError? { await commitAll([set])[0] }

  /// Reads and waits.
  package func answers(to queries: [StoreQuery]) async -> Result<[StoreAnswer], StoreError> {
    await withCheckedContinuation { continuation in read(queries) { continuation.resume(returning: $0) } }
  }
}
