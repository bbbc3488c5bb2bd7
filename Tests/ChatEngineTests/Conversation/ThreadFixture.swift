import ChatModel
import TestSupport

@testable import ChatEngine

/// A conversation and the thread under its first message, on one store; each hears what the other tells it.
struct ThreadFixture {
  private(set) var room: ConversationFixture
  private(set) var thread: ConversationFixture
  let root: MessageID
  private var news: [EngineAction] = []

  /// Ann and bob take part, and ann wrote the root; the settings hold from then on.
  init(settings: ChatSettings = ChatSettings()) {
    var before = ConversationFixture()
    before.call(.join, by: "ann")
    before.call(.join, by: "bob")
    root = before.send("root", by: "ann")
    room = ConversationFixture(settings: settings)
    room.store = before.store
    room.moment = before.moment
    thread = ConversationFixture(ThreadRoot(root, in: room.id)?.thread.text ?? "", settings: settings)
    thread.moment = room.moment
    room.moment.threadRoots = [room.id]
    thread.store = room.store
  }

  var listUsers: Set<UserID> {
    get { room.moment.listUsers }
    set {
      room.moment.listUsers = newValue
      thread.moment.listUsers = newValue
    }
  }

  /// Something happens in the conversation.
  @discardableResult
  mutating func inRoom<Result>(_ event: (inout ConversationFixture) -> Result) -> Result {
    room.store = thread.store
    room.moment.wall = max(room.moment.wall, thread.moment.wall)
    let count = room.actions.count
    let result = event(&room)
    thread.store = room.store
    news += room.actions.dropFirst(count)
    deliver()
    return result
  }

  /// Something happens in the thread.
  @discardableResult
  mutating func inThread<Result>(_ event: (inout ConversationFixture) -> Result) -> Result {
    thread.store = room.store
    thread.moment.wall = max(room.moment.wall, thread.moment.wall)
    let count = thread.actions.count
    let result = event(&thread)
    room.store = thread.store
    news += thread.actions.dropFirst(count)
    deliver()
    return result
  }

  /// Tells both what the other one said.
  private mutating func deliver() {
    while !news.isEmpty {
      switch news.removeFirst() {
      case .tellThreads(_, let told): inThread { $0.hear(told) }
      case .tellRoot(let root, let summary): inRoom { $0.hear(of: root.message.number, summary) }
      default: break
      }
    }
  }

  /// What the root shows of the thread to those who look at the conversation's messages.
  func shown(_ subscriber: SubscriberID) -> ThreadSnapshot? {
    guard case .messages(let messages?, _)? = room.last(subscriber) else { return nil }
    return messages.first { $0.id == root }?.thread
  }
}
