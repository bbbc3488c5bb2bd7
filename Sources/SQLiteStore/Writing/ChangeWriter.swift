import ChatEngine
import ChatModel

/// Writes change sets into the open transaction of its connection.
struct ChangeWriter {
  private let database: Database
  private var conversations: ConversationChanges
  private let participants: ParticipantChanges
  private let messages: MessageChanges
  private let moderation: ModerationChanges
  private let devices: DeviceChanges
  private let reactions: ReactionChanges
  private var files: FileChanges
  private let putUser: Statement

  /// Prepares everything on a writing connection.
  init(_ database: Database) throws(StoreError) {
    self.database = database
    conversations = try ConversationChanges(database)
    participants = try ParticipantChanges(database)
    messages = try MessageChanges(database)
    moderation = try ModerationChanges(database)
    devices = try DeviceChanges(database)
    reactions = try ReactionChanges(database)
    files = try FileChanges(database)
    putUser = try database.prepare(
      """
      INSERT INTO users (\(UserRow.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      ON CONFLICT (id) DO UPDATE SET name = ?2, role = ?3, photo_url = ?4, locale = ?5, custom = ?6, welcome_message = ?7, email = ?8,
        phone = ?9, created_at = ?10, changed_at = ?11, revision = ?12, revoked_at = ?13, last_active_at = ?14, muted = ?15
      """)
  }

  /// Writes all changes of a set.
  ///
  /// Where it throws, the transaction must be undone to a point before the set, and `forget` called.
  mutating func apply(_ set: ChangeSet) throws(StoreError) {
    for change in set.changes { try apply(change) }
    try conversations.saveNewest()
  }

  /// Forgets what is known of rows, because a transaction was undone.
  mutating func forget() {
    conversations.forget()
    files.forget()
  }

  /// Hands over the contents of files that are gone, when the transaction is kept.
  mutating func takeReleasedFiles() -> [FileHash] { files.takeReleased() }

  private mutating func apply(_ change: Change) throws(StoreError) {
    switch change {
    case .putConversation(let record): try conversations.put(record)
    case .deleteConversation(let id): try conversations.delete(id)
    case .putParticipant(let id, let record): try participants.put(record, in: conversations.existingPlace(of: id))
    case .removeParticipant(let id, let user, let revision):
      guard let place = try conversations.place(of: id) else { return }
      try participants.remove(user, from: place.key, revision: revision)
    case .putRestriction(let id, let record): try moderation.put(record, in: conversations.existingPlace(of: id).key)
    case .removeRestriction(let id, let user):
      if let place = try conversations.place(of: id) { try moderation.removeRestriction(of: user, in: place.key) }
    case .putReport(let id, let record): try moderation.put(record, in: conversations.existingPlace(of: id).key)
    case .removeReports(let id, let message):
      if let place = try conversations.place(of: id) { try moderation.removeReports(of: message, in: place.key) }
    case .putInvitation(let id, let record): try moderation.put(record, in: conversations.existingPlace(of: id).key)
    case .removeInvitation(let id, let user):
      if let place = try conversations.place(of: id) { try moderation.removeInvitation(of: user, in: place.key) }
    case .putReaction(let id, let reaction): try reactions.put(reaction, in: conversations.existingPlace(of: id).key)
    case .removeReaction(let id, let reaction): try reactions.remove(reaction, in: conversations.existingPlace(of: id).key)
    case .putDevice(let user, let device): try devices.put(device, of: user)
    case .removeDevice(let user, let token): try devices.remove(token, of: user)
    case .appendMessage(let id, let record, let key):
      try messages.append(record, key: key, to: id, &conversations)
      let added = record.content.files
      if !added.isEmpty { try files.add(added, to: conversations.existingPlace(of: id).key, record.number) }
    case .updateMessage(let id, let record):
      try messages.update(record, in: id, &conversations)
      let key = try conversations.existingPlace(of: id).key
      if record.isDeleted { try reactions.removeAll(from: record.number, in: key) }
      try files.replace(record.content.files, of: key, record.number)
    case .putFile(let record): try files.put(record)
    case .putUser(let record): try putUser.run { UserRow.bind(record, to: $0, database.fields) }
    }
  }
}
