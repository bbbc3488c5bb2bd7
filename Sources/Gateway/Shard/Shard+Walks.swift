import ChatEngine
import ChatModel
import Transport

// Questions to the store of machines; lists that look through all of a user's conversations take turns with theirs.
extension Shard {
  /// Asks the store for a machine.
  func read(_ queries: [StoreQuery], for key: MachineKey) {
    guard case .list(let name, _) = key, name.isWalked, !walks.begin(key, queries) else { return ask(queries, for: key) }
  }

  private func ask(_ queries: [StoreQuery], for key: MachineKey) {
    store.read(queries) { [inbox] in inbox.post(.answered(key, $0)) }
  }

  /// The store answered a list: the next one looks for which somebody still waits.
  func walked(_ list: ListName) {
    guard list.isWalked else { return }
    while let (key, queries) = walks.finished() {
      guard case .list(let name, let incarnation) = key, lists[name]?.incarnation == incarnation else { continue }
      return ask(queries, for: key)
    }
  }
}
