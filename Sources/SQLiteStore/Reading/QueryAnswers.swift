import ChatEngine
import ChatModel

/// Answers queries on one reading connection.
struct QueryAnswers {
  /// Held, because the connection closes with it.
  private let database: Database
  private let begin: Statement
  private let end: Statement
  private let users: UserQueries
  private let messages: MessageQueries
  private let reactions: ReactionQueries
  private let conversations: ConversationQueries
  private let lists: ListQueries
  private let moderation: ModerationQueries
  private let threads: ThreadQueries
  private let devices: DeviceQueries
  private let files: FileQueries

  /// Prepares everything on a connection whose schema is up to date.
  init(_ database: Database) throws(StoreError) {
    self.database = database
    begin = try database.prepare("BEGIN")
    end = try database.prepare("ROLLBACK")
    users = try UserQueries(database)
    threads = try ThreadQueries(database)
    messages = try MessageQueries(database, users: users, threads: threads)
    reactions = try ReactionQueries(database)
    conversations = try ConversationQueries(database)
    moderation = try ModerationQueries(database, conversations: conversations, users: users)
    devices = try DeviceQueries(database)
    files = try FileQueries(database)
    lists = try ListQueries(database, conversations: conversations, messages: messages, reactions: reactions, users: users)
  }

  /// Answers all queries from one view of the file.
  func answer(_ queries: [StoreQuery]) throws(StoreError) -> [StoreAnswer] {
    try begin.run()
    // It fails only where a failure has ended the transaction already.
    defer { try? end.run() }
    var answers: [StoreAnswer] = []
    answers.reserveCapacity(queries.count)
    for query in queries { answers.append(try answer(query)) }
    return answers
  }

  private func answer(_ query: StoreQuery) throws(StoreError) -> StoreAnswer {
    switch query {
    case .conversation(let id): return .conversation(try load(id))
    case .messages(let id, let range, let limit):
      guard let key = try conversations.key(of: id) else { return .messages(.empty) }
      return .messages(try messages.page(key, range, limit: limit))
    case .visibleHistory(let id, let range, let limit, let viewer, let users):
      guard let key = try conversations.key(of: id) else { return .history(.empty, OwnReactions()) }
      let page = try messages.page(key, range, limit: limit, hiding: users)
      return .history(page, try reactions.own(key, of: viewer, on: page.messages + page.quoted))
    case .senders(let id):
      guard let key = try conversations.key(of: id) else { return .senders([:]) }
      return .senders(try messages.senders(key))
    case .message(let id, let number):
      guard let key = try conversations.key(of: id) else { return .messages(.empty) }
      return .messages(try messages.page(key, only: number))
    case .history(let id, let range, let limit, let viewer):
      guard let key = try conversations.key(of: id) else { return .history(.empty, OwnReactions()) }
      let page = try messages.page(key, range, limit: limit)
      return .history(page, try reactions.own(key, of: viewer, on: page.messages + page.quoted))
    case .reactions(let id, let users, let numbers):
      guard let key = try conversations.key(of: id) else { return .reactions([]) }
      return .reactions(try reactions.reactions(key, of: users, on: numbers))
    case .root(let root, let users): return .root(try load(root, users))
    case .users(let ids): return .users(try users.users(ids))
    case .sent(let id, let sender, let clientMessageId):
      guard let key = try conversations.key(of: id) else { return .sent(nil) }
      return .sent(try messages.sent(key, by: sender, clientMessageId: clientMessageId))
    case .areTogether(let one, let other): return .flag(try conversations.areTogether(one, other))
    case .sharedConversations(let one, let other, let limit):
      return .conversations(try conversations.shared(one, other, limit: limit))
    case .conversationList(let user, let cursor, let limit, let filter):
      return .list(try lists.page(user, after: cursor, limit: limit, filter))
    case .visibleList(let user, let cursor, let limit, let users, let filter):
      return .list(try lists.page(user, after: cursor, limit: limit, hiding: users, filter))
    case .reports(let id, let revision, let limit):
      guard let key = try conversations.key(of: id) else { return .reports(ReportPage(reports: [], users: [], reachedEnd: true)) }
      return .reports(try moderation.reports(key, before: revision, limit: limit))
    case .invitations(let user, let limit): return .invitations(try moderation.invitations(of: user, limit: limit))
    case .unreadConversations(let user): return .conversations(try lists.unread(user))
    case .devices(let user): return .devices(try devices.devices(of: user))
    case .file(let id, let user): return .file(try files.file(id, for: user))
    case .fileBytes(let user): return .bytes(try files.bytes(of: user))
    case .isFileStored(let hash): return .flag(try files.isStored(hash))
    }
  }

  private func load(_ root: ThreadRoot, _ users: [UserID]) throws(StoreError) -> RootLoad? {
    guard let key = try conversations.key(of: root.conversation), let (record, _) = try conversations.conversation(key) else { return nil }
    var places: [RootPlace] = []
    for user in users {
      if let place = try threads.place(of: user, in: key) { places.append(place) }
    }
    return RootLoad(type: record.type, message: try messages.message(key, root.message.number), places: places)
  }

  private func load(_ id: ConversationID) throws(StoreError) -> ConversationLoad? {
    guard let key = try conversations.key(of: id), let (record, _) = try conversations.conversation(key) else { return nil }
    return ConversationLoad(
      record: record, participants: try conversations.participants(key), formerReaders: try conversations.formerReaders(key),
      restrictions: try moderation.restrictions(key), invitations: try moderation.invitations(key),
      newest: try messages.page(key, .newest, limit: 1),
      newestNumbers: try messages.newestNumbers(key, limit: ChatSettings.maxUnread + 1),
      pinned: try record.pinned.map { (number) throws(StoreError) in try messages.page(key, only: number) } ?? .empty)
  }
}
