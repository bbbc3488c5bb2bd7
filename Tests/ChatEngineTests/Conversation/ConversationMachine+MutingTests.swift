import ChatEngine
import ChatModel
import TestSupport
import Testing

private let loud = UserID(stored: "loud")
private let calm = UserID(stored: "calm")

private func typists(_ snapshot: TopicSnapshot?) -> [String]? {
  guard case .typing(.few(let users)?)? = snapshot else { return nil }
  return users.map(\.id.text)
}

struct ConversationMachineMutingTests {
  private static func fixture(_ change: (inout ChatSettings) -> Void = { _ in }) -> ConversationFixture {
    var settings = ChatSettings()
    change(&settings)
    var fixture = ConversationFixture(settings: settings, users: ["ann", "loud", "calm", "late", "backend"])
    for user in ["ann", "loud", "calm"] { fixture.call(.join, by: user) }
    return fixture
  }

  @Test func `who muted somebody is shown what is left, in every topic and reply`() {
    var fixture = Self.fixture()
    let topics: [TopicKind] = [.messages, .conversation, .typing, .participants]
    let whole = topics.map { fixture.subscribe($0, by: "ann") }
    let less = topics.map { fixture.subscribe($0, by: "ann", muted: [loud]) }
    fixture.send("1", by: "calm")
    let hidden = fixture.send("2", by: "loud")
    fixture.send("3", by: "calm", answering: hidden)
    let last = fixture.send("4", by: "loud")
    for user in ["calm", "loud"] { fixture.call(.markAsTyping, by: user) }
    expectEqual([fixture.texts(whole[0]), fixture.texts(less[0])], [["4", "3", "2", "1"], ["3", "1"]], "messages")
    let seen = { (fixture: ConversationFixture, id: SubscriberID) in
      fixture.conversation(id).map { "\($0.unreadMessageCount) \($0.lastMessage?.plaintext ?? "none")" }
    }
    expectEqual([seen(fixture, whole[1]), seen(fixture, less[1])], ["4 4", "2 3"], "the conversation")
    expectEqual([typists(fixture.last(whole[2])), typists(fixture.last(less[2]))], [["calm", "loud"], ["calm"]], "typing")
    expectEqual(fixture.names(whole[3]), fixture.names(less[3]), "participants stay")
    guard case .success(.conversation(let got?))? = fixture.call(.get, by: "ann", muted: [loud, calm]) else {
      return expect(false, "a reply")
    }
    expectEqual("\(got.unreadMessageCount) \(got.lastMessage == nil) \(got.isUnread)", "0 true false", "everybody is hidden")
    let history = fixture.begin(.history(HistoryRange(start: .before(last), limit: 5)), by: "ann", muted: [loud])
    expectEqual(
      fixture.histories[history],
      .visibleHistory(fixture.id, .before(last.number), limit: 5, viewer: UserID(stored: "ann"), hiding: [loud]), "the store hides too")

    fixture.clear()
    fixture.send("5", by: "loud")
    expect(
      !fixture.actions.contains {
        if case .publish(.messages, _, let subscribers) = $0 { subscribers.contains(less[0]) } else { false }
      }, "a hidden message is not shown")
    fixture.call(.deleteMessage(fixture.send("6", by: "calm")), by: "calm")
    expectEqual(seen(fixture, less[1]), "2 3", "what lies below a deleted message")
    fixture.mute([], less[0])
    fixture.mute([], less[1])
    fixture.mute([], less[2])
    expectEqual(fixture.last(less[0]), fixture.last(whole[0]), "all again")
    expectEqual(fixture.conversation(less[1]), fixture.conversation(whole[1]), "all of the conversation")
    fixture.clear()
    fixture.mute([], less[0])
    fixture.mute([UserID(stored: "elsewhere")], less[0])
    expectEqual(fixture.actions, [], "who has nothing to hide sees the same")
  }

  @Test func `a window from a message below which all is hidden reaches to the end`() {
    var fixture = Self.fixture()
    let below = fixture.send("0", by: "calm")
    for text in ["1", "2"] { fixture.send(text, by: "loud") }
    let from = fixture.send("3", by: "calm")
    let all = fixture.subscribe(.messages, by: "ann", muted: [loud, calm], from: .message(from))
    let some = fixture.subscribe(.messages, by: "ann", muted: [loud], from: .message(from))
    let last = fixture.subscribe(.messages, by: "ann", muted: [loud], from: .message(below))
    let ends = [all, some, last].map { if case .messages(_, let loadedAll)? = fixture.last($0) { loadedAll } else { false } }
    expectEqual(ends, [true, false, true], "loadedAll where nothing, something, and nothing but the hidden lies below")
  }

  @Test func `a window reaches as far as without the hidden, and grows so`() {
    var fixture = Self.fixture {
      $0.messages = ChatSettings.Window(initial: 3, maxPage: 10, defaultPage: 2)
    }
    for number in 1...8 {
      fixture.send("calm \(number)", by: "calm")
      for _ in 1...3 { fixture.send("x", by: "loud") }
    }
    let reader = fixture.subscribe(.messages, by: "ann", muted: [loud])
    expectEqual(fixture.texts(reader), ["calm 8", "calm 7", "calm 6"], "the first window")
    fixture.loadMore(for: reader)
    expectEqual(fixture.texts(reader)?.count, 5, "two more")
    fixture.loadMore(9, for: reader)
    expectEqual(fixture.texts(reader)?.count, 8, "all")
    let other = fixture.subscribe(.messages, by: "ann")
    expectEqual(fixture.texts(other), ["x", "x", "x"], "who sees the loud")
    fixture.mute([loud], other)
    expectEqual(fixture.texts(other), ["calm 8", "calm 7", "calm 6"], "reaches as far when it hides later")
  }

  @Test func `who comes later is hidden too, and after a failure of the store all is as before`() {
    var fixture = Self.fixture()
    let late = UserID(stored: "late")
    let reader = fixture.subscribe(.messages, by: "ann", muted: [late, loud])
    let typing = fixture.subscribe(.typing, by: "ann", muted: [late])
    fixture.call(.join, by: "late")
    fixture.call(.markAsTyping, by: "late")
    fixture.send("hidden", by: "late")
    fixture.send("seen", by: "calm")
    expectEqual(fixture.texts(reader), ["seen"], "the late one")
    expectEqual(typists(fixture.last(typing)), [], "and their typing")
    fixture.mode = .fails(ConversationFixture.full)
    fixture.send("lost", by: "calm")
    fixture.mode = .answers
    fixture.send("kept", by: "calm")
    fixture.send("hidden again", by: "late")
    expectEqual(fixture.texts(reader), ["kept", "seen"], "loaded again")
    fixture.call(.deleteParticipant(UserID(stored: "ann")), by: "calm")
    expectEqual(fixture.last(reader), .messages(nil, loadedAll: true), "who is gone sees nothing")
    fixture.unsubscribe(reader)
    fixture.mute([], reader)
  }

  @Test func `a list that hides somebody is touched where it may have changed`() {
    var fixture = Self.fixture()
    fixture.moment.mutingListUsers = [UserID(stored: "ann"), UserID(stored: "stranger")]
    let touches = { (fixture: inout ConversationFixture) in
      let touched = fixture.actions.filter { $0 == .touchList(UserID(stored: "ann")) }.count
      fixture.clear()
      return touched
    }
    fixture.clear()
    fixture.send("x", by: "loud")
    expectEqual(touches(&fixture), 1, "a message")
    fixture.call(.markAsRead(upTo: nil), by: "calm")
    fixture.clear()
    fixture.call(.markAsUnread, by: "calm")
    expectEqual(touches(&fixture), 0, "another's mark")
    fixture.call(.markAsUnread, by: "ann")
    expectEqual(touches(&fixture), 1, "their own mark")
    fixture.call(.deleteParticipant(UserID(stored: "ann")), by: "calm")
    expectEqual(touches(&fixture), 1, "they are removed")
    fixture.send("y", by: "calm")
    expectEqual(touches(&fixture), 0, "no longer theirs")
  }
}
