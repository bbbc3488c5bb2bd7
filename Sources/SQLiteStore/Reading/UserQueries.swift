import ChatEngine
import ChatModel

/// Reads users.
struct UserQueries {
  private let fields: StoredFields
  private let select: Statement

  init(_ database: Database) throws(StoreError) {
    fields = database.fields
    select = try database.prepare("SELECT \(UserRow.columns) FROM users WHERE id = ?1")
  }

  /// Those of the users that exist, each once, in the order of the ids.
  func users(_ ids: some Sequence<UserID>) throws(StoreError) -> [UserRecord] {
    var seen: Set<UserID> = []
    var users: [UserRecord] = []
    for id in ids where seen.insert(id).inserted {
      if let user = try user(id) { users.append(user) }
    }
    return users
  }

  private func user(_ id: UserID) throws(StoreError) -> UserRecord? {
    try select.use { (statement) throws(StoreError) in
      statement.bind(id.text)
      return try statement.step() ? try UserRow.read(statement, fields) : nil
    }
  }
}
