import ChatModel
import TestSupport
import Testing

@testable import ChatSDK

@Suite struct TopicFeedTests {
  private let room = ConversationID(stored: "room")

  private func messages(_ count: Int, loadedAll: Bool = false) -> TopicSnapshot {
    let sender = ChatModel.UserSnapshot(
      id: UserID(stored: "ada"), name: "Ada", role: "default", photoUrl: nil, locale: nil, custom: CustomFields(), welcomeMessage: nil)
    let list = (1...max(1, count)).reversed().prefix(count).map { number in
      ChatModel.MessageSnapshot(
        id: MessageID(Int64(number), in: room), conversation: room, type: .user, sender: sender, custom: CustomFields(), createdAt: 1,
        editedAt: nil, referencedMessage: nil, origin: .web, content: [])
    }
    return .messages(Array(list), loadedAll: loadedAll)
  }

  private func list(_ count: Int, loadedAll: Bool = false) -> TopicSnapshot {
    let entries = (0..<count).map { number in
      ChatModel.ConversationSnapshot(
        record: ConversationRecord(id: ConversationID(stored: "c\(number)"), type: .group, pair: nil, createdAt: 1),
        viewer: ParticipantRecord(user: UserID(stored: "ada"), joinedAt: 1, revision: 1), lastMessage: nil, unreadMessageCount: 0,
        everyoneReadUntil: nil)
    }
    return .conversations(entries, loadedAll: loadedAll)
  }

  @Test func `a topic is asked for with each connection, from the oldest item that was shown`() {
    var feed = TopicFeed(round: 10)
    expectEqual(feed.lost(), [])
    expectEqual(feed.connected(), [.subscribe(from: nil, round: 11)])
    expectEqual(feed.connected(), [], "once")
    expectEqual(feed.came(messages(1)), [], "of an earlier subscription")
    expectEqual(feed.answered(nil, round: 10), [], "to an earlier one")
    expectEqual(feed.answered(nil, round: 11), [])
    expectEqual(feed.came(messages(3)), [.show])
    expectEqual(feed.sequence, 1)
    expectEqual(feed.lost(), [])
    expectEqual(feed.came(messages(4)), [], "behind the loss")
    expectEqual(feed.snapshot, messages(3), "what was shown stays")
    expectEqual(feed.connected(), [.subscribe(from: MessageID(1, in: room).text, round: 12)])
    expectEqual(feed.answered(nil, round: 12), [])
    expectEqual(feed.paused(), [.unsubscribe])
    expectEqual(feed.paused(), [], "once")
    expectEqual(feed.connected(), [.subscribe(from: MessageID(1, in: room).text, round: 13)])
    let gone = ChatSDK.ChatError(.notFound, field: "from")
    expectEqual(feed.answered(gone, round: 13), [.subscribe(from: nil, round: 14)], "the oldest is no item of it any more")
    expectEqual(feed.answered(gone, round: 14), [.fail(gone)])
  }

  @Test func `what may pass is tried again, and what may not ends it`() {
    var feed = TopicFeed()
    _ = feed.connected()
    let busy = ChatSDK.ChatError(.rateLimited, retryAfter: .milliseconds(2_500))
    expectEqual(feed.answered(busy, round: 1), [.retry(afterMs: 2_500)])
    expectEqual(feed.connected(), [.subscribe(from: nil, round: 2)])
    expectEqual(feed.answered(.connectionLost, round: 2), [.retry(afterMs: 1_000)])
    _ = feed.connected()
    _ = feed.answered(nil, round: 3)
    expectEqual(feed.ended(nil), [.retry(afterMs: 1_000)], "overloaded")
    expectEqual(feed.ended(.timedOut), [.fail(.timedOut)])
  }

  @Test func `one page is under way at a time`() {
    var feed = TopicFeed()
    expectEqual(feed.wantMore(5), [], "waits for the first snapshot")
    expectEqual(feed.wantMore(7), [], "and this one for that page")
    _ = feed.connected()
    _ = feed.answered(nil, round: 1)
    expectEqual(feed.came(messages(2)), [.show, .loadMore(5, round: 1)])
    expectEqual(feed.wantMore(9), [], "joins")
    expectEqual(feed.pageAnswered(.success(false), round: 0), [], "of an earlier round")
    expectEqual(feed.came(messages(7)), [.show])
    expectEqual(feed.pageAnswered(.success(false), round: 1), [.answerPage(.success(false))])
    expectEqual(feed.pageAnswered(.success(false), round: 1), [], "once")
    expectEqual(feed.wantMore(nil), [.loadMore(nil, round: 1)])
    expectEqual(feed.lost(), [.answerPage(.failure(.connectionLost))])
    _ = feed.connected()
    _ = feed.answered(nil, round: 2)
    expectEqual(feed.came(messages(8, loadedAll: true)), [.show])
    expectEqual(feed.wantMore(1), [.answerPage(.success(true))], "all is loaded")
  }

  @Test func `a list of conversations grows back to its depth`() {
    var feed = TopicFeed()
    _ = feed.connected()
    _ = feed.answered(nil, round: 1)
    expectEqual(feed.came(list(55)), [.show])
    _ = feed.lost()
    expectEqual(feed.connected(), [.subscribe(from: nil, round: 2)])
    _ = feed.answered(nil, round: 2)
    expectEqual(feed.came(list(20)), [.show, .loadMore(30, round: 2)])
    expectEqual(feed.came(list(50)), [.show])
    expectEqual(feed.pageAnswered(.success(false), round: 2), [.answerPage(.success(false)), .loadMore(5, round: 2)])
    expectEqual(feed.came(list(55)), [.show])
    expectEqual(feed.pageAnswered(.success(false), round: 2), [.answerPage(.success(false))])
    expectEqual(feed.came(list(20)), [.show], "it shrank by itself")
    expectEqual(TopicFeed().snapshot, nil)
  }
}
