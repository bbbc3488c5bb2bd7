import ChatModel

/// What was decided together and is kept by the store together.
struct Batch {
  /// An answer that waits until the changes before it are kept.
  enum Answer {
    case reply(CallID, Result<ChatReply, ChatError>)
    case history(CallID, StoreQuery)
    case present(CallID, PresentPage)
    case reports(CallID, StoreQuery)

    var call: CallID {
      switch self {
      case .reply(let call, _), .history(let call, _), .present(let call, _), .reports(let call, _): call
      }
    }
  }

  /// A window that grows when the batch is kept.
  struct Growth {
    let subscriber: SubscriberID
    let floor: Int64
  }

  var changes: [Change] = []
  /// Whether a change was decided; the record itself is written with the last one.
  var isChanged = false
  /// The answers from the first change on, in the order of their calls.
  var held: [Answer] = []
  /// Subscriptions that become active, with the item that lowers their first window.
  var opened: [(id: SubscriberID, from: WindowStart?)] = []
  /// Whose subscriptions these are.
  var openers: Set<UserID> = []
  var growths: [Growth] = []
  var count = 0
  /// Whether nothing may be decided behind it: somebody who watches came or went, or the conversation was deleted.
  var isClosed = false

  /// The most entries of one batch.
  static let limit = 256
}

/// What has changed since it was last shown.
struct Dirt {
  /// The viewers whose view of the conversation changed, where not all did.
  var viewers: Set<UserID> = []
  var everyViewer = false
  var messages = false
  var participants = false
  var typing = false
  /// Users who came, went, or began or ceased to type: their subscriptions change groups.
  var moved: Set<UserID> = []
  /// Whether users came or messages were found that somebody may have muted.
  var isMuteInDoubt = false
  var everyoneMoved = false
  /// Users of whom it came to be known, or who changed or forgot, what they reacted with: their windows change groups.
  var marked: Set<UserID> = []
  /// Users who were invited or are no more, or whose invitation shows something else.
  var invitations: Set<UserID> = []
  /// Users who came, went, or may do something else than before: what threads have to know.
  var places: Set<UserID> = []
  /// Messages that were deleted, and whether they had replies in a thread.
  var ended: [MessageNumber: Bool] = [:]
  /// Whether the replies of a thread changed.
  var replies = false
  /// Users who came.
  var came: Set<UserID> = []
  /// Users who went: their lists lose the conversation, and the revision at which they do.
  var gone: [UserID: Int64] = [:]

  /// Whether a topic's snapshots have to be built again for all its groups.
  func includes(_ kind: TopicKind) -> Bool {
    switch kind {
    case .conversation: everyViewer
    case .messages: messages
    case .participants: participants
    case .typing: typing
    case .conversations, .invitations, .user, .online: false
    }
  }

  /// Adds all topics' dirt.
  mutating func markEverything() {
    everyViewer = true
    messages = true
    participants = true
    typing = true
    everyoneMoved = true
  }
}

/// The actions of one event, gathered by kind: whoever acts on them in order replies first and asks the store last.
struct Output {
  /// Who came and went: whoever hears a reply may rely on it.
  var moves: [EngineAction] = []
  var replies: [EngineAction] = []
  var publishes: [EngineAction] = []
  /// Replies that speak of a snapshot, which has to come before them.
  var lateReplies: [EngineAction] = []
  var lists: [EngineAction] = []
  var wake: EngineAction?
  var question: EngineAction?

  /// All actions, in the order in which they are done.
  var actions: [EngineAction] {
    var all = moves
    // Actions are large: an array that grows step by step moves them again and again.
    all.reserveCapacity(moves.count + replies.count + publishes.count + lateReplies.count + lists.count + 2)
    all += replies
    all += publishes
    all += lateReplies
    all += lists
    if let wake { all.append(wake) }
    if let question { all.append(question) }
    return all
  }

  /// Adds an answer.
  mutating func answer(_ answer: Batch.Answer, in conversation: ConversationID) {
    switch answer {
    case .reply(let call, let result): replies.append(.reply(call, result))
    case .history(let call, let query): replies.append(.replyWithHistory(call, conversation, query))
    case .reports(let call, let query): replies.append(.replyWithReports(call, conversation, query))
    case .present(let call, let page): replies.append(.replyWithPresent(call, page))
    }
  }
}
