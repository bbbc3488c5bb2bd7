package import ChatEngine
import ChatModel

/// What the port `Store` means, over plain dictionaries: the reference that every implementation is compared with.
package struct StoreContractModel {
  private struct Conversation {
    var record: ConversationRecord
    var participants: [UserID: ParticipantRecord] = [:]
    var formerReaders: Set<UserID> = []
    var restrictions: [UserID: RestrictionRecord] = [:]
    var reports: [ReportRecord] = []
    var invitations: [UserID: InvitationRecord] = [:]
    var messages: [MessageNumber: MessageRecord] = [:]
    var keys: [Key: SentMessage] = [:]
    var reactions: Set<Reaction> = []

    func has(_ file: FileID) -> Bool { messages.values.contains { $0.content.files.contains(file) } }

    /// Without tombstones, newest first.
    var visible: [MessageRecord] { messages.values.filter { !$0.isDeleted }.sorted { $0.number > $1.number } }
  }

  private struct Key: Hashable {
    let sender: UserID
    let clientMessageId: String
  }

  private var conversations: [ConversationID: Conversation] = [:]
  private var users: [UserID: UserRecord] = [:]
  /// The one that registered longest ago first.
  private var devices: [(user: UserID, device: PushDevice)] = []
  private var files: [FileID: FileRecord] = [:]

  /// Makes an empty store.
  package init() {}

  // MARK: Changes

  /// Keeps all changes of a set or none; false when one of them breaks a rule.
  package mutating func commit(_ set: ChangeSet) -> Bool {
    var next = self
    for change in set.changes { guard next.apply(change) else { return false } }
    self = next
    return true
  }

  private mutating func apply(_ change: Change) -> Bool {
    switch change {
    case .putConversation(let record):
      guard conversations[record.id] != nil || mayHang(record.id) else { return false }
      conversations[record.id, default: Conversation(record: record)].record = record
    case .deleteConversation(let id): remove(id)
    case .putUser(let record): users[record.id] = record
    case .putDevice(let user, let device):
      devices.removeAll { $0.device.token == device.token }
      devices.append((user, device))
    case .removeDevice(let user, let token): devices.removeAll { $0.user == user && $0.device.token == token }
    case .putFile(let record): files[record.id] = record
    case .putParticipant(let id, let record):
      guard let conversation = conversations[id] else { return false }
      // In a thread nobody comes in who takes no part in the conversation of its root.
      let isThere = ThreadRoot(of: id).map { conversations[$0.conversation]?.participants[record.user] != nil } ?? true
      guard isThere || conversation.participants[record.user] != nil else { return true }
      conversations[id]?.participants[record.user] = record
      conversations[id]?.formerReaders.remove(record.user)
    case .removeParticipant(let id, let user, _):
      let place = conversations[id]?.participants.removeValue(forKey: user)
      if place?.access == .read { conversations[id]?.formerReaders.insert(user) }
      if place != nil { for thread in threads(of: id) { conversations[thread]?.participants[user] = nil } }
    case .putRestriction(let id, let record):
      guard conversations[id] != nil else { return false }
      conversations[id]?.restrictions[record.user] = record
    case .removeRestriction(let id, let user): conversations[id]?.restrictions[user] = nil
    case .putReport(let id, let record):
      guard conversations[id] != nil else { return false }
      conversations[id]?.reports.removeAll { $0.message == record.message && $0.reporter == record.reporter }
      conversations[id]?.reports.append(record)
    case .removeReports(let id, let message): conversations[id]?.reports.removeAll { $0.message == message }
    case .putInvitation(let id, let record):
      guard conversations[id] != nil else { return false }
      conversations[id]?.invitations[record.user] = record
    case .removeInvitation(let id, let user): conversations[id]?.invitations[user] = nil
    case .updateMessage(let id, let record):
      guard let before = conversations[id]?.messages[record.number] else { return false }
      var kept = record
      // What the message shows of its thread is kept with the thread.
      kept.thread = nil
      conversations[id]?.messages[record.number] = kept
      for file in before.content.files where !isUsed(file) { files[file] = nil }
      guard record.isDeleted else { return true }
      if let root = ThreadRoot(MessageID(record.number, in: id), in: id) { conversations[root.thread] = nil }
      let left: Set<Reaction> = conversations[id]?.reactions.filter { $0.message != record.number } ?? []
      conversations[id]?.reactions = left
    case .putReaction(let id, let reaction):
      guard conversations[id] != nil else { return false }
      conversations[id]?.reactions.insert(reaction)
    case .removeReaction(let id, let reaction):
      guard conversations[id] != nil else { return false }
      conversations[id]?.reactions.remove(reaction)
    case .appendMessage(let id, let record, let key): return append(record, key, to: id)
    }
    return true
  }

  private mutating func append(_ record: MessageRecord, _ key: SendKey?, to id: ConversationID) -> Bool {
    guard var conversation = conversations[id], conversation.messages[record.number] == nil else { return false }
    if let key {
      let name = Key(sender: key.sender, clientMessageId: key.clientMessageId)
      guard conversation.keys[name] == nil else { return false }
      conversation.keys[name] = SentMessage(number: record.number, requestHash: key.requestHash)
    }
    conversation.messages[record.number] = record
    conversations[id] = conversation
    return true
  }

  // MARK: Threads

  private func threads(of id: ConversationID) -> [ConversationID] {
    conversations.keys.filter { ThreadRoot(of: $0)?.conversation == id }
  }

  private mutating func remove(_ id: ConversationID) {
    for thread in threads(of: id) { conversations[thread] = nil }
    conversations[id] = nil
  }

  /// Whether a thread's root is there; true for all other conversations.
  private func mayHang(_ id: ConversationID) -> Bool {
    guard let root = ThreadRoot(of: id) else { return true }
    return conversations[root.conversation]?.messages[root.message.number]?.isDeleted == false
  }

  /// A message with what it shows of its thread.
  private func shown(_ message: MessageRecord, in id: ConversationID) -> MessageRecord {
    var message = message
    let root = ThreadRoot(MessageID(message.number, in: id), in: id)
    message.thread = root.flatMap { conversations[$0.thread] }.map { thread in
      ThreadSummary(
        revision: thread.record.revision, replyCount: thread.record.replyCount, lastReplyAt: thread.visible.first?.createdAt)
    }
    return message
  }

  /// A place with the access that it gives: in a thread that in the conversation of its root.
  private func shown(_ place: ParticipantRecord, in id: ConversationID) -> ParticipantRecord {
    var place = place
    if let root = ThreadRoot(of: id), let there = conversations[root.conversation]?.participants[place.user] { place.access = there.access }
    return place
  }

  private func load(_ root: ThreadRoot, _ users: [UserID]) -> RootLoad? {
    guard let conversation = conversations[root.conversation] else { return nil }
    let places = users.compactMap { conversation.participants[$0] }.map { place in
      RootPlace(user: place.user, access: place.access, restriction: conversation.restrictions[place.user])
    }
    return RootLoad(type: conversation.record.type, message: conversation.messages[root.message.number], places: places)
  }

  // MARK: Queries

  /// The answer to a query, in the form of `normalized`.
  package func answer(_ query: StoreQuery) -> StoreAnswer {
    Self.normalized(rawAnswer(query))
  }

  private func rawAnswer(_ query: StoreQuery) -> StoreAnswer {
    switch query {
    case .conversation(let id): return .conversation(conversations[id].map(load))
    case .messages(let id, let range, let limit):
      guard let conversation = conversations[id] else { return .messages(page(nil, [], reachedEnd: true)) }
      return .messages(messages(conversation, range, limit: limit))
    case .message(let id, let number):
      let message = conversations[id]?.messages[number]
      return .messages(page(conversations[id], message.map { [$0] } ?? [], reachedEnd: true))
    case .history(let id, let range, let limit, let viewer):
      guard let conversation = conversations[id] else { return .history(.empty, OwnReactions()) }
      let page = messages(conversation, range, limit: limit)
      return .history(page, own(conversation, viewer, page.messages + page.quoted))
    case .reactions(let id, let users, let numbers):
      return .reactions(conversations[id]?.reactions.filter { users.contains($0.user) && numbers.contains($0.message) } ?? [])
    case .root(let root, let users): return .root(load(root, users))
    case .users(let ids): return .users(Set(ids).compactMap { users[$0] })
    case .sent(let id, let user, let clientMessageId):
      return .sent(conversations[id]?.keys[Key(sender: user, clientMessageId: clientMessageId)])
    case .areTogether(let one, let other):
      return .flag(conversations.values.contains { $0.participants[one] != nil && $0.participants[other] != nil })
    case .visibleHistory(let id, let range, let limit, let viewer, let users):
      guard let conversation = conversations[id] else { return .history(.empty, OwnReactions()) }
      let page = messages(conversation, range, limit: limit, hiding: users)
      return .history(page, own(conversation, viewer, page.messages + page.quoted))
    case .senders(let id):
      let newest = conversations[id]?.visible.prefix(ChatSettings.maxUnread + 1) ?? []
      return .senders(Dictionary(uniqueKeysWithValues: newest.compactMap { message in message.sender.map { (message.number, $0) } }))
    case .visibleList(let user, let cursor, let limit, let users, let filter):
      return .list(list(user, after: cursor, limit: limit, hiding: users, filter))
    case .sharedConversations(let one, let other, let limit):
      // Which are the oldest the model does not know: the cases look at sets that fit, or at one.
      let shared = conversations.values.filter { $0.participants[one] != nil && $0.participants[other] != nil }
      return .conversations(Array(shared.map(\.record.id).sorted().prefix(limit)))
    case .conversationList(let user, let cursor, let limit, let filter): return .list(list(user, after: cursor, limit: limit, filter))
    case .devices(let user): return .devices(devices.filter { $0.user == user }.map(\.device))
    case .reports(let id, let revision, let limit): return .reports(reports(id, before: revision, limit: limit))
    case .invitations(let user, let limit):
      let entries = conversations.values.compactMap { conversation in
        conversation.invitations[user].map { InvitationPage.Entry(record: conversation.record, invitation: $0) }
      }
      let sorted = entries.sorted { (~$0.invitation.invitedAt, $0.record.id) < (~$1.invitation.invitedAt, $1.record.id) }.prefix(limit)
      return .invitations(
        InvitationPage(entries: Array(sorted), users: Set(sorted.map(\.invitation.invitedBy)).compactMap { users[$0] }))
    case .unreadConversations(let user):
      return .conversations(
        conversations.values.compactMap { conversation in
          guard let viewer = conversation.participants[user] else { return nil }
          return viewer.isMarkedUnread || unread(conversation, viewer) > 0 ? conversation.record.id : nil
        })
    case .file(let id, let user): return .file(files[id].flatMap { mayRead($0, user) ? $0 : nil })
    case .fileBytes(let user): return .bytes(files.values.filter { $0.uploader == user }.reduce(0) { $0 + $1.details.size })
    case .isFileStored(let hash): return .flag(files.values.contains { $0.hash == hash })
    }
  }

  private func mayRead(_ file: FileRecord, _ user: UserID?) -> Bool {
    guard let user, user != file.uploader else { return true }
    return conversations.values.contains { conversation in
      let readers = ThreadRoot(of: conversation.record.id)?.conversation ?? conversation.record.id
      return conversation.has(file.id) && conversations[readers]?.participants[user] != nil
    }
  }

  private func isUsed(_ file: FileID) -> Bool { conversations.values.contains { $0.has(file) } }

  private func load(_ conversation: Conversation) -> ConversationLoad {
    ConversationLoad(
      record: conversation.record, participants: conversation.participants.values.map { shown($0, in: conversation.record.id) },
      formerReaders: conversation.formerReaders, restrictions: Array(conversation.restrictions.values),
      invitations: Array(conversation.invitations.values),
      newest: messages(conversation, .newest, limit: 1),
      newestNumbers: conversation.visible.prefix(ChatSettings.maxUnread + 1).map(\.number),
      pinned: conversation.record.pinned.map { number in
        page(conversation, conversation.messages[number].map { [$0] } ?? [], reachedEnd: true)
      } ?? .empty)
  }

  private func own(_ conversation: Conversation, _ viewer: UserID, _ messages: [MessageRecord]) -> OwnReactions {
    let numbers = Set(messages.filter { !$0.reactions.isEmpty }.map(\.number))
    return OwnReactions(conversation.reactions.filter { $0.user == viewer && numbers.contains($0.message) })
  }

  private func reports(_ id: ConversationID, before revision: Int64?, limit: Int) -> ReportPage {
    let all = (conversations[id]?.reports ?? []).filter { $0.revision < revision ?? .max }.sorted { $0.revision > $1.revision }
    let reports = Array(all.prefix(limit))
    let named = Set(reports.flatMap { [$0.sender, $0.reporter].compactMap(\.self) })
    return ReportPage(reports: reports, users: named.compactMap { users[$0] }, reachedEnd: reports.count == all.count)
  }

  private func messages(_ conversation: Conversation, _ range: MessageRange, limit: Int, hiding users: Set<UserID> = []) -> MessagePage {
    let visible = conversation.visible.filter { Self.isSeen($0, users) }
    let matching =
      switch range {
      case .newest: visible
      case .before(let number): visible.filter { $0.number < number }
      case .after(let number): visible.filter { $0.number > number }
      }
    let messages = if case .after = range { Array(matching.suffix(limit)) } else { Array(matching.prefix(limit)) }
    return page(conversation, messages, reachedEnd: matching.count == messages.count)
  }

  private func page(_ conversation: Conversation?, _ messages: [MessageRecord], reachedEnd: Bool) -> MessagePage {
    let quoted = Set(messages.compactMap(\.referenced)).compactMap { conversation?.messages[$0] }
    let messages = messages.map { message in conversation.map { shown(message, in: $0.record.id) } ?? message }
    return MessagePage(messages: messages, quoted: quoted, users: people(messages + quoted), reachedEnd: reachedEnd)
  }

  private func people(_ messages: [MessageRecord]) -> [UserRecord] { Set(messages.flatMap(\.people)).compactMap { users[$0] } }

  private func unread(_ conversation: Conversation, _ viewer: ParticipantRecord, hiding users: Set<UserID> = []) -> Int {
    let newest = conversation.visible.filter { $0.number > viewer.readMarker }.prefix(ChatSettings.maxUnread + 1)
    return min(ChatSettings.maxUnread, newest.count { Self.isSeen($0, users) })
  }

  private static func isSeen(_ message: MessageRecord, _ hidden: Set<UserID>) -> Bool { message.sender.map(hidden.contains) != true }

  private func list(
    _ user: UserID, after cursor: ListCursor?, limit: Int, hiding hidden: Set<UserID> = [], _ filter: ConversationFilter?
  ) -> ListPage {
    let seen = conversations.values.compactMap { entry($0, user, hiding: hidden) }
    let all = seen.filter { filter?.matches(Self.facts($0)) ?? true }.sorted { Self.place($0) < Self.place($1) }
    let behind = all.filter { entry in cursor.map { (~$0.activity, $0.conversation) < Self.place(entry) } ?? true }
    let entries = Array(behind.prefix(limit))
    let messages = entries.flatMap(\.shown)
    return ListPage(entries: entries, users: people(messages), next: behind.dropFirst(limit).first?.record.id)
  }

  private func entry(_ conversation: Conversation, _ user: UserID, hiding hidden: Set<UserID>) -> ListPage.Entry? {
    guard let viewer = conversation.participants[user] else { return nil }
    let last = conversation.visible.prefix(ChatSettings.maxUnread + 1).first { Self.isSeen($0, hidden) }.map {
      shown($0, in: conversation.record.id)
    }
    let pinned = conversation.record.pinned.flatMap { conversation.messages[$0] }.map { shown($0, in: conversation.record.id) }
    var entry = ListPage.Entry(
      record: conversation.record, viewer: shown(viewer, in: conversation.record.id), lastMessage: last,
      quoted: last?.referenced.flatMap { conversation.messages[$0] },
      unread: unread(conversation, viewer, hiding: hidden),
      lowestReadUntil: conversation.participants.values.map(\.readUntil).min() ?? viewer.readUntil, pinned: pinned,
      pinnedQuoted: pinned?.referenced.flatMap { conversation.messages[$0] })
    entry.own = own(conversation, user, entry.shown)
    return entry
  }

  private static func facts(_ entry: ListPage.Entry) -> ConversationFilter.Facts {
    ConversationFilter.Facts(
      access: entry.viewer.access, subject: entry.record.subject, custom: entry.record.custom, createdAt: entry.record.createdAt,
      lastMessageAt: entry.lastMessage?.createdAt, isUnread: entry.unread > 0 || entry.viewer.isMarkedUnread)
  }

  /// What orders a list: activity descending (`~` turns the order and never overflows), id ascending.
  private static func place(_ entry: ListPage.Entry) -> (Timestamp, ConversationID) {
    (~max(entry.viewer.joinedAt, entry.lastMessage?.createdAt ?? .min), entry.record.id)
  }

  // MARK: Comparing

  /// The answer with everything sorted whose order the port leaves open.
  package static func normalized(_ answer: StoreAnswer) -> StoreAnswer {
    switch answer {
    case .conversation(var load):
      load?.participants.sort { $0.user < $1.user }
      load?.restrictions.sort { $0.user < $1.user }
      load?.invitations.sort { $0.user < $1.user }
      if let page = load?.newest { load?.newest = normalized(page) }
      if let page = load?.pinned { load?.pinned = normalized(page) }
      return .conversation(load)
    case .messages(let page): return .messages(normalized(page))
    case .history(let page, let own): return .history(normalized(page), own)
    case .reactions(let reactions):
      return .reactions(reactions.sorted { ($0.message, $0.user, $0.emoji) < ($1.message, $1.user, $1.emoji) })
    case .users(let users): return .users(users.sorted { $0.id < $1.id })
    case .list(var page):
      page.users.sort { $0.id < $1.id }
      return .list(page)
    case .reports(var page):
      page.users.sort { $0.id < $1.id }
      return .reports(page)
    case .invitations(var page):
      page.users.sort { $0.id < $1.id }
      return .invitations(page)
    case .conversations(let ids): return .conversations(ids.sorted())
    case .root, .sent, .flag, .devices, .senders, .file, .bytes: return answer
    }
  }

  private static func normalized(_ page: MessagePage) -> MessagePage {
    var page = page
    page.quoted.sort { $0.number > $1.number }
    page.users.sort { $0.id < $1.id }
    return page
  }
}
