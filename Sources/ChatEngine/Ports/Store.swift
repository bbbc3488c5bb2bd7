package import ChatModel

/// Port: where users, conversations, participants and messages are kept.
///
/// Every call returns at once; `done` is called once, on a thread of the store's own. A caller on an event loop answers
/// into its mailbox.
package protocol Store: Sendable {
  /// Answers queries from one consistent view that holds every commit acknowledged before the call.
  func read(_ queries: [StoreQuery], done: @escaping @Sendable (Result<[StoreAnswer], StoreError>) -> Void)

  /// Keeps all changes or none. `done(nil)` comes after they would survive a power cut; changes of several calls that wait
  /// are committed together, and one that fails does not fail the others. Calls are committed in the order they were made.
  func commit(_ changes: ChangeSet, done: @escaping @Sendable (StoreError?) -> Void)
}

/// A question to the store.
package enum StoreQuery: Hashable, Sendable {
  /// Answered by `.conversation`.
  case conversation(ConversationID)
  /// Answered by `.messages`: up to `limit` messages, tombstones left out, newest first.
  case messages(ConversationID, MessageRange, limit: Int)
  /// Answered by `.senders`: of the newest messages that are no tombstones, at most `ChatSettings.maxUnread + 1`.
  case senders(ConversationID)
  /// Answered by `.messages` with one message, also a tombstone, or none.
  case message(ConversationID, MessageNumber)
  /// Answered by `.history`: as `messages`, with the viewer's own reactions to them and to what they answer.
  case history(ConversationID, MessageRange, limit: Int, viewer: UserID)
  /// The same without the messages of some users.
  case visibleHistory(ConversationID, MessageRange, limit: Int, viewer: UserID, hiding: Set<UserID>)
  /// Answered by `.reactions`: those of these users to these messages, in any order.
  case reactions(ConversationID, of: [UserID], on: [MessageNumber])
  /// Answered by `.root`: the message under which a thread hangs, and which of these users take part in its conversation.
  case root(ThreadRoot, of: [UserID])
  /// Answered by `.users`: those that exist.
  case users([UserID])
  /// Answered by `.sent`: what a sender's `clientMessageId` led to.
  case sent(ConversationID, UserID, clientMessageId: String)
  /// Answered by `.flag`: whether two users share a conversation.
  case areTogether(UserID, UserID)
  /// Answered by `.conversations`: those in which both users are, the oldest first; all of the user's where both are the same.
  case sharedConversations(UserID, UserID, limit: Int)
  /// Answered by `.list`: those of a user's conversations that a filter lets pass, last active first.
  case conversationList(UserID, after: ListCursor?, limit: Int, filter: ConversationFilter? = nil)
  /// The same as if some users' messages were not there, among the newest `ChatSettings.maxUnread + 1` of each conversation.
  case visibleList(UserID, after: ListCursor?, limit: Int, hiding: Set<UserID>, filter: ConversationFilter? = nil)
  /// Answered by `.reports`: up to `limit` reports of lower revisions, the newest first.
  case reports(ConversationID, before: Int64?, limit: Int)
  /// Answered by `.invitations`: up to `limit` of a user's, last invited first, then by the conversations' ids.
  case invitations(UserID, limit: Int)
  /// Answered by `.conversations`: where the user has unread messages or a mark of unread.
  case unreadConversations(UserID)
  /// Answered by `.devices`: a user's, the one that registered longest ago first.
  case devices(UserID)
  /// Answered by `.file`: one that the user uploaded, or that a message has in a conversation in which they take part; without a user any.
  case file(FileID, for: UserID?)
  /// Answered by `.bytes`: the size of all files that a user uploaded.
  case fileBytes(of: UserID)
  /// Answered by `.flag`: whether there is a file of this content.
  case isFileStored(FileHash)
}

/// Which messages of a conversation are asked for.
package enum MessageRange: Hashable, Sendable {
  case newest
  /// Numbers below this one, the highest of them.
  case before(MessageNumber)
  /// Numbers above this one, the lowest of them.
  case after(MessageNumber)
}

/// Where a page of a conversation list begins: behind this entry.
package struct ListCursor: Hashable, Sendable {
  /// max(joinedAt, lastMessage.createdAt) of the entry.
  package let activity: Timestamp
  /// Orders entries of one millisecond, by bytes, ascending.
  package let conversation: ConversationID

  package init(activity: Timestamp, conversation: ConversationID) {
    self.activity = activity
    self.conversation = conversation
  }
}

/// The store's answer to one query.
package enum StoreAnswer: Hashable, Sendable {
  case conversation(ConversationLoad?)
  case messages(MessagePage)
  case history(MessagePage, OwnReactions)
  case reactions([Reaction])
  /// Nil where there is no such conversation.
  case root(RootLoad?)
  case users([UserRecord])
  case sent(SentMessage?)
  case senders([MessageNumber: UserID])
  case flag(Bool)
  case list(ListPage)
  case conversations([ConversationID])
  case devices([PushDevice])
  case file(FileRecord?)
  case bytes(Int64)
  case reports(ReportPage)
  case invitations(InvitationPage)
}

/// All that a conversation machine starts from.
package struct ConversationLoad: Hashable, Sendable {
  package var record: ConversationRecord
  package var participants: [ParticipantRecord]
  /// The users whose place was removed while they might only read, and who have none since.
  package var formerReaders: Set<UserID>
  /// What is forbidden users, those who are gone too.
  package var restrictions: [RestrictionRecord]
  package var invitations: [InvitationRecord]
  /// The newest message that is no tombstone, with what it quotes and the users of both.
  package var newest: MessagePage
  /// The numbers of the newest messages that are no tombstones, newest first, at most `ChatSettings.maxUnread + 1`.
  package var newestNumbers: [MessageNumber]
  /// The pinned message with what it answers and the users of both; empty where none is pinned.
  package var pinned: MessagePage

  package init(
    record: ConversationRecord, participants: [ParticipantRecord], formerReaders: Set<UserID>, restrictions: [RestrictionRecord],
    invitations: [InvitationRecord], newest: MessagePage, newestNumbers: [MessageNumber], pinned: MessagePage = .empty
  ) {
    self.record = record
    self.participants = participants
    self.formerReaders = formerReaders
    self.restrictions = restrictions
    self.invitations = invitations
    self.newest = newest
    self.newestNumbers = newestNumbers
    self.pinned = pinned
  }
}

/// What a thread has to know of the conversation of its root.
package struct RootLoad: Hashable, Sendable {
  /// What the thread takes over: its type.
  package let type: ConversationType
  /// The root, also a tombstone; nil where there is no such message.
  package let message: MessageRecord?
  /// Those of the users who take part, with what is forbidden them.
  package let places: [RootPlace]

  package init(type: ConversationType, message: MessageRecord?, places: [RootPlace]) {
    self.type = type
    self.message = message
    self.places = places
  }
}

/// A user's place in the conversation of a thread's root.
package struct RootPlace: Hashable, Sendable {
  package let user: UserID
  package let access: Access
  package let restriction: RestrictionRecord?

  package init(user: UserID, access: Access, restriction: RestrictionRecord?) {
    self.user = user
    self.access = access
    self.restriction = restriction
  }
}

/// Messages with all that their snapshots need.
package struct MessagePage: Hashable, Sendable {
  /// Newest first.
  package var messages: [MessageRecord]
  /// The messages that they answer, tombstones included.
  package var quoted: [MessageRecord]
  /// The senders of both, and whom they mention.
  package var users: [UserRecord]
  /// Whether nothing lies beyond the page in the asked direction.
  package var reachedEnd: Bool

  package init(messages: [MessageRecord], quoted: [MessageRecord], users: [UserRecord], reachedEnd: Bool) {
    self.messages = messages
    self.quoted = quoted
    self.users = users
    self.reachedEnd = reachedEnd
  }

  /// Nothing, and nothing beyond it.
  package static let empty = MessagePage(messages: [], quoted: [], users: [], reachedEnd: true)
}

/// What a `clientMessageId` led to.
package struct SentMessage: Hashable, Sendable {
  package let number: MessageNumber
  /// The hash of the request that was kept with it.
  package let requestHash: Int64

  package init(number: MessageNumber, requestHash: Int64) {
    self.number = number
    self.requestHash = requestHash
  }
}

/// A piece of a user's conversation list.
package struct ListPage: Hashable, Sendable {
  /// One conversation of the list, with all that its snapshot needs.
  package struct Entry: Hashable, Sendable {
    package var record: ConversationRecord
    package var viewer: ParticipantRecord
    package var lastMessage: MessageRecord?
    package var quoted: MessageRecord?
    package var pinned: MessageRecord?
    /// The message that the pinned one answers.
    package var pinnedQuoted: MessageRecord?
    /// The viewer's reactions to all of these.
    package var own: OwnReactions
    /// Messages after the viewer's marker, counted up to `ChatSettings.maxUnread`.
    package var unread: Int
    /// The lowest `readUntil` of all participants.
    package var lowestReadUntil: Timestamp

    package init(
      record: ConversationRecord, viewer: ParticipantRecord, lastMessage: MessageRecord?, quoted: MessageRecord?, unread: Int,
      lowestReadUntil: Timestamp, pinned: MessageRecord? = nil, pinnedQuoted: MessageRecord? = nil, own: OwnReactions = OwnReactions()
    ) {
      self.record = record
      self.viewer = viewer
      self.lastMessage = lastMessage
      self.quoted = quoted
      self.unread = unread
      self.lowestReadUntil = lowestReadUntil
      self.pinned = pinned
      self.pinnedQuoted = pinnedQuoted
      self.own = own
    }

    /// All messages of the entry.
    package var shown: [MessageRecord] { [lastMessage, quoted, pinned, pinnedQuoted].compactMap(\.self) }
  }

  package var entries: [Entry]
  /// The senders of the messages in the entries, and whom they mention.
  package var users: [UserRecord]
  /// The conversation that comes behind the page; nil where it reaches the end.
  package var next: ConversationID?

  package init(entries: [Entry], users: [UserRecord], next: ConversationID?) {
    self.entries = entries
    self.users = users
    self.next = next
  }
}

/// Changes that are kept together or not at all.
package struct ChangeSet: Hashable, Sendable {
  package var changes: [Change]

  package init(_ changes: [Change]) { self.changes = changes }
}

/// One row that is written whole.
package enum Change: Hashable, Sendable {
  /// Inserts or replaces the row of a conversation; that of a thread fails where its root is not there or deleted.
  case putConversation(ConversationRecord)
  /// Removes a conversation with its threads, participants, restrictions, invitations, reports, messages, reactions and send keys.
  case deleteConversation(ConversationID)
  /// Inserts or replaces a user's place; in a thread only where the user takes part in the root's conversation, whose access it has.
  case putParticipant(ConversationID, ParticipantRecord)
  /// Removes a user's place, and those in the conversation's threads, and keeps a tombstone of it at the revision, with the access that
  /// the user had.
  case removeParticipant(ConversationID, UserID, revision: Int64)
  /// Inserts or replaces what is forbidden a user.
  case putRestriction(ConversationID, RestrictionRecord)
  /// Lifts what is forbidden a user.
  case removeRestriction(ConversationID, UserID)
  /// Adds a report, in the place of an earlier one of the same message by the same user.
  case putReport(ConversationID, ReportRecord)
  /// Removes all reports of a message.
  case removeReports(ConversationID, MessageNumber)
  /// Inserts or replaces an invitation.
  case putInvitation(ConversationID, InvitationRecord)
  /// Removes an invitation.
  case removeInvitation(ConversationID, UserID)
  /// Adds a message, with the key that makes its send idempotent.
  case appendMessage(ConversationID, MessageRecord, key: SendKey?)
  /// Replaces a message's row: an edit, counted reactions, or a tombstone, with which all reactions to it and its thread go.
  case updateMessage(ConversationID, MessageRecord)
  /// Adds a reaction, which may be there already.
  case putReaction(ConversationID, Reaction)
  /// Removes a reaction, which may be gone already.
  case removeReaction(ConversationID, Reaction)
  /// Inserts or replaces a user.
  case putUser(UserRecord)
  /// Adds a device, as the one that registered last; it is no longer that of who had it before.
  case putDevice(UserID, PushDevice)
  /// Removes the user's device with a token; does nothing where the user has none.
  case removeDevice(UserID, token: String)
  /// Adds a file that no message has yet.
  case putFile(FileRecord)
}

/// Makes a send idempotent: unique for its sender in its conversation.
package struct SendKey: Hashable, Sendable {
  package let sender: UserID
  package let clientMessageId: String
  package let requestHash: Int64

  package init(sender: UserID, clientMessageId: String, requestHash: Int64) {
    self.sender = sender
    self.clientMessageId = clientMessageId
    self.requestHash = requestHash
  }
}
