import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Suite struct ThreadsTests {
  private static let (ann, bob, cy) = (UserID(stored: "ann"), UserID(stored: "bob"), UserID(stored: "cy"))

  private func outcomes(_ fixture: inout ThreadFixture, _ cases: [(ConversationOperation, String, String)], _ comment: String) {
    for (operation, user, expected) in cases {
      let outcome = fixture.inThread { $0.call(operation, by: user)?.outcome }
      expectEqual(outcome, expected, "\(comment): \(operation) by \(user)")
    }
  }

  // MARK: The life of a thread

  @Test func `a thread is empty before the first reply, and nothing of it is kept`() {
    var both = ThreadFixture()
    let topics = [TopicKind.conversation, .messages, .participants, .typing].map { kind in both.inThread { $0.subscribe(kind, by: "bob") } }
    let stranger = both.inThread { $0.subscribe(.messages, by: "cy") }
    expectEqual(both.thread.texts(topics[1]), [], "no messages")
    expectEqual(both.thread.names(topics[2]), [], "nobody replied")
    expectEqual(both.thread.last(topics[3]), .typing(.few([])), "nobody types")
    expectEqual(both.thread.last(stranger), .messages(nil, loadedAll: true), "a stranger sees nothing")
    let view = both.thread.conversation(topics[0])
    guard case .messages(let page) = both.room.store.answer(.message(both.room.id, both.root.number)) else {
      return expect(false, "no root")
    }
    expectEqual(view?.createdAt, page.messages.first?.createdAt, "as old as the message")
    expectEqual(view?.type, .group, "of the type of the conversation")
    expectEqual(
      both.inThread { $0.call(.getThread, by: "ann") }.flatMap { try? $0.get() }.map { "\($0)".contains("thread.room.") }, true, "get")
    outcomes(
      &both,
      [
        (.get, "cy", "ok"), (.getThread, "cy", "102"), (.history(HistoryRange(start: .newest, limit: 9)), "cy", "102"),
        (.markAsRead(upTo: nil), "ann", "ok"),
        (.markAsUnread, "ann", "ok"), (.markAsTyping, "ann", "ok"), (.text("x"), "cy", "102"), (.deleteParticipant(Self.ann), "ann", "ok"),
      ], "before the first reply")
    expectEqual(both.thread.commits, [], "nothing is kept")
    expectEqual(both.inThread { $0.call(.delete, by: "backend", .app)?.outcome }, "104", "nothing to delete")
  }

  @Test func `the first reply makes the thread, and the message shows how many there are`() {
    var both = ThreadFixture()
    let root = both.root
    let readers = both.inRoom { [$0.subscribe(.messages, by: "ann"), $0.subscribe(.messages, by: "bob")] }
    let (messages, people) = both.inThread { ($0.subscribe(.messages, by: "ann"), $0.subscribe(.participants, by: "ann")) }
    let first = both.inThread { $0.send("first", by: "bob") }
    expectEqual(both.thread.texts(messages), ["first"], "the reply")
    expectEqual(both.thread.names(people), ["BOB"], "who replied has a place")
    for reader in readers { expectEqual(both.shown(reader)?.replyCount, 1, "one reply") }
    let second = both.inThread { $0.send("second", by: "ann", answering: first) }
    expectEqual(both.shown(readers[0])?.replyCount, 2, "two")
    expectEqual(both.shown(readers[0])?.lastReplyAt, both.thread.moment.wall, "when the last came")
    expectEqual(both.shown(readers[0])?.conversation, both.thread.id, "where they are")
    let quoting = both.inRoom { $0.send("quote", by: "bob", answering: root) }
    both.inThread { $0.call(.editMessage(second, MessageEdit(content: ContentBlock.plain("edited"))), by: "ann") }
    expectEqual(both.shown(readers[0])?.replyCount, 2, "an edit changes nothing")
    both.inThread { $0.call(.deleteMessage(second), by: "ann") }
    expectEqual(both.shown(readers[0])?.replyCount, 1, "one was deleted")
    both.inThread { $0.call(.deleteMessage(first), by: "bob") }
    expectEqual(both.shown(readers[0]), nil, "none is left")
    expect(quoting.number > 0, "sent")
    both.inThread { $0.send("third", by: "bob") }
    both.inRoom { $0.call(.editMessage(root, MessageEdit(content: ContentBlock.plain("edited"))), by: "ann") }
    expectEqual(both.shown(readers[1])?.replyCount, 1, "an edit of the message keeps it")
  }

  @Test func `who replied or asked for it has the thread in the list, others count nothing`() {
    var both = ThreadFixture()
    both.listUsers = [Self.ann, Self.bob]
    both.inThread { $0.send("a", by: "bob") }
    expectEqual(both.thread.lists[Self.bob]?.last??.unreadMessageCount, 0, "who replied")
    expectEqual(both.thread.lists[Self.ann] == nil, true, "who did not")
    both.inThread { $0.call(.join, by: "ann") }
    both.inThread { $0.send("b", by: "bob") }
    expectEqual(both.thread.lists[Self.ann]?.last??.unreadMessageCount, 1, "who follows it counts")
    both.inThread { $0.call(.markAsRead(upTo: nil), by: "ann") }
    expectEqual(both.thread.lists[Self.ann]?.last??.unreadMessageCount, 0, "and reads")
    both.inThread { $0.call(.deleteParticipant(Self.ann), by: "ann") }
    expectEqual(both.thread.lists[Self.ann]?.last == .some(nil), true, "and leaves")
    both.inThread { $0.send("c", by: "bob") }
    guard case .success(.conversation(let view?))? = both.inThread({ $0.call(.get, by: "ann") }) else {
      return expect(false, "sees nothing")
    }
    expectEqual([view.unreadMessageCount, view.isUnread ? 1 : 0], [0, 0], "counts nothing any more")
  }

  // MARK: Who may do what

  @Test func `who may do what follows from the conversation`() {
    var both = ThreadFixture()
    let patch = ParticipantPatch(access: .set(.read))
    both.inThread { $0.send("a", by: "bob") }
    outcomes(
      &both,
      [
        (.createParticipant(Self.ann, patch), "bob", "101 user"), (.setParticipant(Self.bob, patch), "bob", "101 access"),
        (.editParticipant(Self.ann, ParticipantPatch()), "bob", "101 user"), (.deleteParticipant(Self.ann), "bob", "101 user"),
        (.deleteParticipantFields(Self.bob, [.access]), "bob", "101 access"), (.deleteFields([.access]), "bob", "101 access"),
        (.editParticipant(Self.bob, ParticipantPatch(notify: .set(.never))), "bob", "ok"), (.delete, "bob", "101"), (.delete, "cy", "102"),
        (.restrict(Self.ann, Restriction(isMuted: true)), "bob", "101"), (.join, "cy", "102"),
        (.createParticipant(Self.cy, ParticipantPatch()), "cy", "102"),
        (.deleteFields([.subject]), "ann", "ok"),
      ], "a participant")
    for operation in [ConversationOperation.restrict(Self.ann, Restriction(isMuted: true)), .listRestrictions(UserRange(limit: 1))] {
      expectEqual(both.inThread { $0.call(operation, by: "backend", .app)?.outcome }, "101 conversation", "\(operation) by a backend")
    }
    expectEqual(both.inThread { $0.call(.text("note"), by: "backend", .app)?.outcome }, "ok", "a backend speaks")
    expectEqual(both.inThread { $0.call(.text("note"), by: "cy", .app, isActing: true)?.outcome }, "102", "but not for a stranger")
    var access = ConversationPatch()
    access.own.access = .set(.read)
    outcomes(&both, [(.set(access), "bob", "101 access"), (.set(access), "ann", "101 access")], "their own access")
    var silent = Permissions()
    silent.reply = .none
    expectEqual(both.inThread { $0.call(.text("x"), by: "bob", .user, silent)?.outcome }, "101", "who may not reply")
    silent.reply = .own
    expectEqual(both.inThread { $0.call(.text("x"), by: "bob", .user, silent)?.outcome }, "101", "nor to others")
    expectEqual(both.inThread { $0.call(.text("x"), by: "ann", .user, silent)?.outcome }, "ok", "but to themselves")
  }

  @Test func `what changes in the conversation holds in the thread at once`() {
    var both = ThreadFixture()
    both.inRoom { $0.call(.join, by: "cy") }
    both.inThread { $0.send("a", by: "bob") }
    both.inThread { $0.send("b", by: "cy") }
    let (messages, view, people) = both.inThread {
      ($0.subscribe(.messages, by: "bob"), $0.subscribe(.conversation, by: "bob"), $0.subscribe(.participants, by: "ann"))
    }
    let typing = both.inThread { $0.subscribe(.typing, by: "ann") }
    both.inThread { $0.call(.markAsTyping, by: "bob") }
    both.inRoom { $0.call(.restrict(Self.bob, Restriction(isMuted: true, reason: "loud")), by: "backend", .app) }
    expectEqual(both.thread.last(typing), .typing(.few([])), "who is muted ceases to type")
    outcomes(&both, [(.text("x"), "bob", "111"), (.markAsTyping, "bob", "111"), (.text("x"), "ann", "ok")], "muted")
    both.inRoom { $0.call(.restrict(Self.bob, Restriction()), by: "backend", .app) }
    outcomes(&both, [(.text("x"), "bob", "ok")], "not muted any more")
    both.inRoom { $0.call(.editParticipant(Self.bob, ParticipantPatch(access: .set(.read))), by: "ann") }
    expectEqual(both.thread.conversation(view)?.access, .read, "the access is shown")
    outcomes(&both, [(.text("x"), "bob", "103"), (.markAsRead(upTo: nil), "bob", "ok"), (.join, "bob", "ok")], "a reader")
    both.inRoom { $0.call(.deleteParticipant(Self.bob), by: "ann") }
    expectEqual(both.thread.last(messages), .messages(nil, loadedAll: true), "who went sees nothing")
    expectEqual(both.thread.conversation(view) == nil, true, "of the conversation neither")
    expectEqual(both.thread.names(people), ["ANN", "CY"], "and has no place")
    outcomes(&both, [(.text("x"), "bob", "102"), (.getThread, "bob", "102")], "gone")
    both.inRoom { $0.call(.createParticipant(Self.bob, ParticipantPatch()), by: "ann") }
    expectEqual(both.thread.texts(messages)?.count, 4, "who comes back sees it again")
    expectEqual(both.thread.names(people), ["ANN", "CY"], "without a place")
    let reads = both.thread.reads.count
    both.inRoom { $0.call(.join, by: "dan") }
    expectEqual(both.thread.reads.count, reads, "of whom nothing shows, nothing is read")
    outcomes(&both, [(.text("x"), "dan", "ok")], "who came meanwhile")
  }

  @Test func `where clients may not change conversations, replies bring in all the same`() {
    var settings = ChatSettings()
    settings.syncConversations = false
    var both = ThreadFixture(settings: settings)
    outcomes(
      &both, [(.text("x"), "bob", "ok"), (.join, "ann", "105"), (.join, "bob", "ok"), (.deleteFields([.subject]), "ann", "105")], "closed")
  }

  // MARK: Its end

  @Test func `a thread goes with its message and with the conversation`() {
    for deletesMessage in [true, false] {
      var both = ThreadFixture()
      let root = both.root
      both.listUsers = [Self.bob]
      both.inThread { $0.send("a", by: "bob") }
      let (messages, typing) = both.inThread { ($0.subscribe(.messages, by: "ann"), $0.subscribe(.typing, by: "ann")) }
      both.inThread { $0.call(.markAsTyping, by: "bob") }
      if deletesMessage {
        both.inRoom { $0.call(.deleteMessage(root), by: "ann") }
        expect(both.room.actions.contains(.updateList(Self.bob, both.thread.id, revision: .max, nil)), "the list is told")
      } else {
        both.inRoom { $0.call(.delete, by: "backend", .app) }
      }
      expectEqual(both.thread.last(messages), .messages(nil, loadedAll: true), "nothing is shown")
      expectEqual(both.thread.last(typing), .typing(nil), "nobody types")
      let refused = deletesMessage ? "104 message" : "102"
      outcomes(
        &both, [(.text("x"), "bob", refused), (.getThread, "ann", refused), (.get, "ann", "ok"), (.join, "ann", "-32602 conversation")],
        "over")
      expectEqual(both.room.store.answer(.conversation(both.thread.id)), .conversation(nil), "nothing is kept")
    }
  }

  @Test func `a thread that was deleted may be made again, with new numbers`() {
    var both = ThreadFixture()
    let reader = both.inRoom { $0.subscribe(.messages, by: "ann") }
    let messages = both.inThread { $0.subscribe(.messages, by: "ann") }
    let first = both.inThread { $0.send("a", by: "bob") }
    both.inThread { $0.call(.delete, by: "backend", .app) }
    expectEqual(both.thread.texts(messages), [], "empty again")
    expectEqual(both.shown(reader), nil, "the message shows none")
    let second = both.inThread { $0.send("b", by: "bob") }
    expect(second.number > first.number, "a new number")
    expectEqual(both.shown(reader)?.replyCount, 1, "the message shows it")
  }

  @Test func `messages that are not there have no thread, until they are`() {
    var both = ThreadFixture()
    var nowhere = ConversationFixture("thread.room.\(MessageID(.max, in: both.room.id))")
    nowhere.store = both.room.store
    let messages = nowhere.subscribe(.messages, by: "ann")
    expectEqual(nowhere.last(messages), .messages(nil, loadedAll: true), "nothing")
    expectEqual(nowhere.call(.getThread, by: "ann")?.outcome, "104 message", "no such message")
    expectEqual(nowhere.call(.getThread, by: "backend", .app)?.outcome, "104 message", "for a backend neither")
    expectEqual(nowhere.call(.getThread, by: "cy")?.outcome, "102", "a stranger")
    let next = both.inRoom { $0.send("next", by: "ann") }
    var later = ConversationFixture(ThreadRoot(next, in: both.room.id)?.thread.text ?? "")
    later.moment = both.thread.moment
    expectEqual(later.call(.getThread, by: "ann")?.outcome, "102", "no such conversation")
    later.store = both.room.store
    expectEqual(later.call(.getThread, by: "ann")?.outcome, "ok", "now there is")
  }

  // MARK: While the store is asked

  @Test func `what was read before a change of the conversation is read again`() {
    var both = ThreadFixture()
    both.inThread { $0.send("a", by: "bob") }
    let messages = both.inThread { $0.subscribe(.messages, by: "bob") }
    // The thread asks, the conversation changes, and the answer is from before.
    both.inThread { $0.hear(.everything) }
    var early = both.thread
    early.mode = .waits
    early.hear(.everything)
    both.inRoom { $0.call(.deleteParticipant(Self.bob), by: "ann") }
    early.hear(.places([Self.bob]))
    early.release()
    early.store = both.room.store
    early.releaseAll()
    expectEqual(early.last(messages), .messages(nil, loadedAll: true), "bob sees nothing")
  }

  @Test func `a reply that is being kept while the sender goes leaves no place behind, and shows them nothing`() {
    var both = ThreadFixture()
    both.listUsers = [Self.ann]
    both.inThread { $0.call(.join, by: "ann") }
    let messages = both.inThread { $0.subscribe(.messages, by: "bob") }
    let reader = both.inRoom { $0.subscribe(.messages, by: "ann") }
    both.inThread { $0.mode = .waits }
    let call = both.inThread { $0.begin(.text("a"), by: "bob") }
    both.inThread { while case .read? = $0.question { $0.release() } }
    both.inRoom { $0.call(.deleteParticipant(Self.bob), by: "ann") }
    both.inThread { $0.releaseAll() }
    expectEqual(both.thread.replies[call]?.outcome, "ok", "it was sent")
    expectEqual(both.thread.last(messages), .messages(nil, loadedAll: true), "bob sees nothing")
    expectEqual(both.shown(reader)?.replyCount, 1, "the message shows it")
    expectEqual(both.thread.lists[Self.ann]?.last??.unreadMessageCount, 1, "and so does a list")
    guard case .conversation(let load?) = both.room.store.answer(.conversation(both.thread.id)) else { return expect(false, "no thread") }
    expectEqual(load.participants.map(\.user), [Self.ann], "places")
  }

  @Test func `a reply to a message that goes meanwhile is refused`() {
    var both = ThreadFixture()
    let root = both.root
    both.inThread { $0.mode = .waits }
    let call = both.inThread { $0.begin(.text("a"), by: "bob") }
    both.inThread { while case .read? = $0.question { $0.release() } }
    both.inRoom { $0.call(.deleteMessage(root), by: "ann") }
    both.inThread { $0.release(failing: .init(.constraint, code: 19, "gone")) }
    both.inThread { $0.releaseAll() }
    expectEqual(both.thread.replies[call]?.outcome, "110", "not kept")
    outcomes(&both, [(.text("b"), "bob", "104 message")], "again")
  }

  @Test func `what a thread tells while the conversation is read wins over an older answer`() {
    var both = ThreadFixture()
    let old = both.room.store
    both.inThread { $0.send("a", by: "bob") }
    guard case .conversation(let load?) = both.room.store.answer(.conversation(both.thread.id)) else { return expect(false, "no thread") }
    let summary = ThreadSummary(revision: load.record.revision, replyCount: 1, lastReplyAt: load.newest.messages.first?.createdAt)
    var fresh = ConversationFixture()
    fresh.store = old
    fresh.mode = .waits
    let reader = fresh.subscribe(.messages, by: "ann")
    fresh.hear(of: both.root.number, summary)
    fresh.releaseAll()
    guard case .messages(let messages?, _)? = fresh.last(reader) else { return expect(false, "nothing is shown") }
    expectEqual(messages.last?.thread?.replyCount, 1, "the reply")
    let count = fresh.shown[reader]?.count
    fresh.hear(of: both.root.number, ThreadSummary(revision: 1, replyCount: 9, lastReplyAt: nil))
    fresh.hear(of: 999_999, summary)
    expectEqual(fresh.shown[reader]?.count, count, "what is older, or about nothing that is shown, changes nothing")
    expectEqual(fresh.machine.thread == nil, true, "a conversation")
    fresh.hear(.everything)
    expectEqual(fresh.shown[reader]?.count, count, "is told nothing by itself")
  }

  @Test func `a failing store leaves a thread as it was`() {
    var both = ThreadFixture()
    let messages = both.inThread { $0.subscribe(.messages, by: "ann") }
    both.inThread { $0.mode = .fails(ConversationFixture.full) }
    both.inThread { $0.hear(.everything) }
    expect(!both.thread.machine.isIdle, "it has to look again")
    expectEqual(both.inThread { $0.call(.text("a"), by: "bob")?.outcome }, "110", "no reply")
    both.inThread { $0.mode = .answers }
    both.inThread { $0.pass(2_000) }
    expectEqual(both.inThread { $0.call(.text("a"), by: "bob")?.outcome }, "ok", "a reply")
    expectEqual(both.thread.texts(messages), ["a"], "is shown")
    both.inThread { $0.hear(.ended(ConversationID(stored: "thread.other"))) }
    expectEqual(both.thread.texts(messages), ["a"], "another thread's end is nothing to it")
  }
}
