import ChatEngine
import ChatModel

/// The cases of the contract.
enum StoreContract {
  struct Case: Sendable {
    let name: String
    let run: @Sendable (StoreUnderTest) async throws -> Void
  }

  /// How many random histories are played.
  static let histories = 12

  private typealias Make = StoreContractRecords

  static let cases: [Case] = [
    Case(name: "an empty store", run: checkEmpty),
    Case(name: "every field comes back", run: checkFields),
    Case(name: "every kind of content comes back", run: checkContent),
    Case(name: "rows are replaced and removed", run: checkReplacing),
    Case(name: "who shares a conversation", run: checkTogether),
    Case(name: "pages of messages", run: checkPages),
    Case(name: "quoted messages and senders", run: checkQuoted),
    Case(name: "a set is kept whole or not at all", run: checkAtomicity),
    Case(name: "send keys", run: checkSendKeys),
    Case(name: "the list of conversations", run: checkList),
    Case(name: "the list through filters", run: checkFilters),
    Case(name: "unread counts", run: checkUnread),
    Case(name: "what is left where users are hidden", run: checkHiding),
    Case(name: "deleted conversations", run: checkDeletion),
    Case(name: "devices", run: checkDevices),
    Case(name: "reactions and pinned messages", run: checkReactions),
    Case(name: "files", run: checkFiles),
    Case(name: "restrictions", run: checkRestrictions), Case(name: "reports", run: checkReports),
    Case(name: "invitations", run: checkInvitations),
    Case(name: "threads", run: checkThreads),
  ]

  private static func checkEmpty(_ store: StoreUnderTest) async {
    let (nobody, nowhere) = (Make.user("nobody"), Make.id("nowhere"))
    await store.compare([])
    await store.compare(
      .conversation(nowhere), .messages(nowhere, .newest, limit: 10), .message(nowhere, 1), .users([nobody]), .users([]),
      .sent(nowhere, nobody, clientMessageId: ""), .areTogether(nobody, nobody),
      .sharedConversations(nobody, nobody, limit: 9), .conversationList(nobody, after: nil, limit: 10), .unreadConversations(nobody))
  }

  private static func checkFields(_ store: StoreUnderTest) async {
    var store = store
    let full = Make.fullConversation("full")
    var participants: [ParticipantRecord] = []
    for (index, (access, notify)) in zip([Access.read, .readWrite, .read], Notify.allCases).enumerated() {
      participants.append(
        ParticipantRecord(
          user: Make.user("p\(index)"), access: access, notify: notify, joinedAt: 2, joinedRevision: 3, readMarker: 4, readUntil: 5,
          isMarkedUnread: index == 1, revision: 6))
    }
    await store.commit(
      .putConversation(full), .putUser(Make.fullUser("zoë")), .putUser(UserRecord(id: Make.user("b"), name: "", createdAt: 0)))
    await store.commit([ChangeSet(participants.map { .putParticipant(full.id, $0) })])
    for (index, type) in ConversationType.allCases.enumerated() {
      await store.commit(
        .putConversation(ConversationRecord(id: Make.id("type \(index)"), type: type, pair: nil, createdAt: .min)))
      await store.compare(.conversation(Make.id("type \(index)")))
    }
    for (index, origin) in MessageOrigin.allCases.enumerated() {
      let message = MessageRecord(
        number: MessageNumber(index + 1), revision: 99, type: index == 0 ? .system : .user, sender: index == 0 ? nil : Make.user("zoë"),
        custom: CustomFields([(key: "k", value: "\u{0}")]), createdAt: 1, editedAt: index == 2 ? 3 : nil,
        referenced: index == 3 ? 1 : nil, origin: origin,
        content: index == 1 ? [.text([]), .text([.plain(""), .plain("two \u{1F9F5} \0 \" \\ \u{2028}")])] : ContentBlock.plain("x"),
        isDeleted: false)
      await store.commit(.appendMessage(full.id, message, key: nil))
      await store.compare(.message(full.id, message.number))
    }
    await store.compare(.conversation(full.id), .users([Make.user("zoë"), Make.user("b"), Make.user("c"), Make.user("b")]))
  }

  private static func checkReplacing(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    await store.commit(.putConversation(Make.fullConversation("a")), .putUser(Make.fullUser("ann")))
    await store.commit(.putParticipant(id, Make.participant("ann")), .putParticipant(id, Make.participant("bob")))
    await store.commit(.putConversation(Make.conversation("a")), .putUser(UserRecord(id: Make.user("ann"), name: "Ann", createdAt: 1)))
    await store.compare(.conversation(id), .users([Make.user("ann")]), comment: "replaced by emptier rows")
    var moved = Make.participant("bob", marker: 12)
    moved.isMarkedUnread = true
    await store.commit(.putParticipant(id, moved))
    await store.compare(.conversation(id), .areTogether(Make.user("ann"), Make.user("bob")), comment: "a moved marker")
    await store.commit(.removeParticipant(id, Make.user("bob"), revision: 13))
    await store.compare(.conversation(id), .areTogether(Make.user("ann"), Make.user("bob")), comment: "a participant left")
    await store.commit(.removeParticipant(id, Make.user("bob"), revision: 14), comment: "leaving twice")
    await store.commit(.removeParticipant(Make.id("nowhere"), Make.user("bob"), revision: 1), comment: "leaving nowhere")
    await store.commit(.putParticipant(id, Make.participant("bob", joinedAt: 2_000)))
    await store.compare(.conversation(id), .areTogether(Make.user("bob"), Make.user("ann")), comment: "a participant came back")
    await checkFormerReaders(store)
  }

  private static func checkFormerReaders(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("readers")
    var bob = Make.participant("bob")
    await store.commit(.putConversation(Make.conversation("readers")), .putParticipant(id, Make.participant("ann")))
    let leave = Change.removeParticipant(id, bob.user, revision: 13)
    for access: Access in [.read, .readWrite, .read] {
      bob.access = access
      await store.commit(.putParticipant(id, bob))
      await store.compare(.conversation(id), comment: "there, with \(access)")
      await store.commit(leave)
      await store.commit(leave, comment: "leaving twice")
      await store.compare(.conversation(id), comment: "gone, with \(access)")
    }
    await store.commit(.deleteConversation(id), .putConversation(Make.conversation("readers")))
    await store.compare(.conversation(id), comment: "made again")
  }

  private static func checkTogether(_ store: StoreUnderTest) async {
    var store = store
    // Who is in which of twelve conversations: one and two share the last only, two and three none.
    let rooms: [String: [Int]] = ["one": [0, 2, 4, 6, 11], "two": [1, 3, 5, 11], "three": [2, 7, 8, 9, 10], "four": [0]]
    for room in 0..<12 { await store.commit(.putConversation(Make.conversation("r\(room)"))) }
    for (user, places) in rooms.sorted(by: { $0.key < $1.key }) {
      for room in places { await store.commit(.putParticipant(Make.id("r\(room)"), Make.participant(user))) }
    }
    for one in rooms.keys.sorted() + ["nobody"] {
      for other in rooms.keys.sorted() + ["nobody"] {
        let (first, second) = (Make.user(one), Make.user(other))
        await store.compare(
          .areTogether(first, second), .sharedConversations(first, second, limit: 12), .sharedConversations(first, second, limit: 0),
          comment: "\(one) and \(other)")
      }
    }
  }

  private static func checkPages(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    await store.commit(.putConversation(Make.conversation("a")))
    // Not in order, with gaps.
    for number: MessageNumber in [3, 1, 9, 5, 7, 12, 20] { await store.commit(.appendMessage(id, Make.message(number), key: nil)) }
    await store.commit(
      .updateMessage(id, Make.tombstone(of: Make.message(20), revision: 21)),
      .updateMessage(id, Make.tombstone(of: Make.message(5), revision: 22)))
    for limit in [0, 1, 2, 4, 5, 6, 100] {
      for number: MessageNumber in [.min, 0, 1, 4, 5, 9, 20, .max] {
        await store.compare(
          .messages(id, .newest, limit: limit), .messages(id, .before(number), limit: limit),
          .messages(id, .after(number), limit: limit), .message(id, number))
      }
    }
    await store.compare(.conversation(id))
  }

  private static func checkQuoted(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    await store.commit(.putConversation(Make.conversation("a")), .putUser(Make.fullUser("ann")), .putUser(Make.fullUser("bob")))
    await store.commit(
      .appendMessage(id, Make.message(1, from: "bob"), key: nil), .appendMessage(id, Make.message(2, from: nil), key: nil),
      .appendMessage(id, Make.message(3, from: "stranger"), key: nil), .appendMessage(id, Make.message(4, answering: 1), key: nil),
      .appendMessage(id, Make.message(5, answering: 1), key: nil), .appendMessage(id, Make.message(6, answering: 77), key: nil),
      .appendMessage(id, Make.message(7, answering: 4), key: nil))
    let pages: [StoreQuery] = [
      .messages(id, .newest, limit: 1), .messages(id, .newest, limit: 2), .messages(id, .newest, limit: 10),
      .messages(id, .before(6), limit: 2), .message(id, 4), .message(id, 7), .conversation(id),
    ]
    await store.compare(pages)
    await store.commit(.updateMessage(id, Make.tombstone(of: Make.message(1, from: "bob"), revision: 8)))
    await store.compare(pages, comment: "with a tombstone")
  }

  private static func checkAtomicity(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    await store.commit(.putConversation(Make.conversation("a")), .putParticipant(id, Make.participant("ann")))
    await store.commit(.appendMessage(id, Make.message(1), key: nil))
    let bad: [Change] = [
      .appendMessage(id, Make.message(1), key: nil), .appendMessage(Make.id("nowhere"), Make.message(1), key: nil),
      .updateMessage(id, Make.message(50)), .updateMessage(Make.id("nowhere"), Make.message(1)),
      .putParticipant(Make.id("nowhere"), Make.participant("ann")),
    ]
    // Good sets before, between and behind those that fail, all waiting at the same time.
    var sets: [ChangeSet] = [ChangeSet([])]
    for (index, change) in bad.enumerated() {
      let number = MessageNumber(10 * index + 100)
      sets.append(
        ChangeSet([.appendMessage(id, Make.message(number), key: nil), .putConversation(Make.conversation("a", revision: number))]))
      sets.append(
        ChangeSet([
          .appendMessage(id, Make.message(number + 1), key: nil), .putConversation(Make.conversation("new \(index)")),
          .removeParticipant(id, Make.user("ann"), revision: 1), change,
        ]))
    }
    sets.append(ChangeSet([.appendMessage(id, Make.message(1_000), key: nil)]))
    await store.commit(sets)
    await store.compare(.conversation(id), .messages(id, .newest, limit: 100), .conversationList(Make.user("ann"), after: nil, limit: 9))
    for index in bad.indices { await store.compare(.conversation(Make.id("new \(index)"))) }
    await store.commit(.updateMessage(id, Make.tombstone(of: Make.message(1), revision: 2_000)))
    await store.commit(.appendMessage(id, Make.message(1), key: nil), comment: "a number with a tombstone")
    await store.compare(.message(id, 1), .conversation(id))
  }

  private static func checkSendKeys(_ store: StoreUnderTest) async {
    var store = store
    let (a, b) = (Make.id("a"), Make.id("b"))
    await store.commit(.putConversation(Make.conversation("a")), .putConversation(Make.conversation("b")))
    await store.commit(.appendMessage(a, Make.message(1), key: Make.key("ann", "1", hash: .min)))
    await store.commit([
      ChangeSet([.appendMessage(a, Make.message(2), key: Make.key("ann", "1", hash: 5))]),
      ChangeSet([.appendMessage(a, Make.message(3), key: Make.key("bob", "1", hash: .max))]),
      ChangeSet([.appendMessage(a, Make.message(4, from: nil), key: Make.key("ann", "2"))]),
      ChangeSet([.appendMessage(b, Make.message(5), key: Make.key("ann", "1"))]),
      ChangeSet([.appendMessage(a, Make.message(6), key: nil), .appendMessage(a, Make.message(7), key: nil)]),
    ])
    await store.commit(.updateMessage(a, Make.tombstone(of: Make.message(1), revision: 9)))
    for id in [a, b, Make.id("nowhere")] {
      for sender in ["ann", "bob", "nobody"] {
        for clientMessageId in ["1", "2", "", "3"] {
          await store.compare(.sent(id, Make.user(sender), clientMessageId: clientMessageId))
        }
      }
      await store.compare(.messages(id, .newest, limit: 10))
    }
  }

  private static func checkList(_ store: StoreUnderTest) async {
    var store = store
    await store.commit(.putUser(Make.fullUser("ann")), .putUser(Make.fullUser("bob")))
    // Same times, ids whose order by bytes is not that of the alphabet, with and without messages.
    for (index, name) in ["b", "a", "Z", "é", "e", "c", "d"].enumerated() {
      let id = Make.id(name)
      await store.commit(
        .putConversation(Make.conversation(name)), .putParticipant(id, Make.participant("ann", joinedAt: 1_000 + Int64(index / 3))),
        .putParticipant(id, Make.participant("bob", joinedAt: 500)))
    }
    let (b, e) = (Make.id("b"), Make.id("e"))
    await store.commit(
      .appendMessage(b, Make.message(2, at: 1_002), key: nil), .appendMessage(b, Make.message(3, at: 1_003, answering: 2), key: nil))
    await store.commit(.appendMessage(e, Make.message(2, from: "bob", at: 1_003), key: nil))
    await checkListPages(store, comment: "with messages")
    await store.commit(.updateMessage(b, Make.tombstone(of: Make.message(3, at: 1_003, answering: 2), revision: 9)))
    await checkListPages(store, comment: "the newest message deleted")
    await store.commit(
      .putConversation(Make.conversation("b", revision: 10)),
      .updateMessage(b, Make.tombstone(of: Make.message(2, at: 1_002), revision: 10)))
    await checkListPages(store, comment: "all messages deleted")
    await store.commit(.appendMessage(b, Make.message(11, at: 2_000), key: nil), .putConversation(Make.conversation("b", revision: 11)))
    await checkListPages(store, comment: "a new message after that")
  }

  private static func checkListPages(_ store: StoreUnderTest, comment: String) async {
    let places = [(Int64.max, ""), (1_003, ""), (1_003, "b"), (1_003, "e"), (1_002, "é"), (1_000, "a"), (.min, "z")]
    let cursors = [nil] + places.map { ListCursor(activity: $0.0, conversation: Make.id($0.1)) }
    for user in ["ann", "bob", "nobody"] {
      for limit in [0, 1, 3, 7, 8] {
        await store.compare(cursors.map { .conversationList(Make.user(user), after: $0, limit: limit) }, comment: comment)
      }
      await store.compare(.unreadConversations(Make.user(user)), comment: comment)
    }
  }

  private static func checkUnread(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    let last = MessageNumber(ChatSettings.maxUnread + 5)
    await store.commit(.putConversation(Make.conversation("a")))
    await store.commit([ChangeSet((1...last).map { .appendMessage(id, Make.message($0), key: nil) })])
    await store.compare(.conversation(id), comment: "numbers up to the bound")
    for marker: MessageNumber in [0, 4, 5, 6, last - 1, last, .max] {
      await store.commit(.putParticipant(id, Make.participant("ann", marker: marker)))
      await store.compare(
        .conversationList(Make.user("ann"), after: nil, limit: 1), .unreadConversations(Make.user("ann")), comment: "marker \(marker)")
    }
    var marked = Make.participant("ann", marker: .max)
    marked.isMarkedUnread = true
    await store.commit(.putParticipant(id, marked))
    await store.compare(.unreadConversations(Make.user("ann")), comment: "marked")
    await store.commit(
      .putParticipant(id, Make.participant("ann", marker: last - 1)),
      .updateMessage(id, Make.tombstone(of: Make.message(last), revision: last + 1)))
    await store.compare(
      .conversationList(Make.user("ann"), after: nil, limit: 1), .unreadConversations(Make.user("ann")), comment: "the unread one deleted")
  }

  private static func checkHiding(_ store: StoreUnderTest) async {
    var store = store
    let (a, b) = (Make.id("a"), Make.id("b"))
    let (loud, calm) = (Make.user("loud"), Make.user("calm"))
    for id in [a, b] {
      await store.commit(.putConversation(Make.conversation(id.text)), .putParticipant(id, Make.participant("ann", marker: 2)))
    }
    // Of each four messages two are of the loud, one is the system's; the second conversation is of the loud alone.
    for number in 1...24 as ClosedRange<MessageNumber> {
      let sender: String? = number % 4 == 0 ? nil : number % 4 == 1 ? "calm" : "loud"
      await store.commit(.appendMessage(a, Make.message(number, from: sender, at: 1_000 + number), key: nil))
      await store.commit(.appendMessage(b, Make.message(number, from: "loud", at: 2_000 + number), key: nil))
    }
    await store.commit(.updateMessage(a, Make.tombstone(of: Make.message(24, from: nil), revision: 99)))
    for hidden in [[], [loud], [calm], [loud, calm], [Make.user("nobody")]] as [Set<UserID>] {
      for id in [a, b, Make.id("nowhere")] {
        await store.compare(.senders(id))
        for limit in [0, 1, 3, 30] {
          await store.compare(
            [.newest, .before(13), .after(9), .before(1), .after(24)].map {
              .visibleHistory(id, $0, limit: limit, viewer: calm, hiding: hidden)
            },
            comment: "\(limit) without \(hidden)")
        }
      }
      for cursor in [nil, ListCursor(activity: 1_023, conversation: a), ListCursor(activity: 2_024, conversation: b)] {
        await store.compare(
          .visibleList(Make.user("ann"), after: cursor, limit: 9, hiding: hidden),
          .visibleList(Make.user("ann"), after: cursor, limit: 1, hiding: hidden), comment: "the list without \(hidden)")
      }
    }
  }

  private static func checkDeletion(_ store: StoreUnderTest) async {
    var store = store
    let id = Make.id("a")
    await store.commit(.deleteConversation(id), comment: "nothing to delete")
    for round in 1...2 {
      await store.commit(
        .putConversation(Make.conversation("a")), .putParticipant(id, Make.participant("ann")),
        .appendMessage(id, Make.message(1), key: Make.key("ann", "1")), .appendMessage(id, Make.message(2), key: nil))
      let queries: [StoreQuery] = [
        .conversation(id), .messages(id, .newest, limit: 9), .message(id, 1), .sent(id, Make.user("ann"), clientMessageId: "1"),
        .conversationList(Make.user("ann"), after: nil, limit: 9), .areTogether(Make.user("ann"), Make.user("ann")),
      ]
      await store.compare(queries, comment: "round \(round), made")
      await store.commit(.deleteConversation(id))
      await store.compare(queries, comment: "round \(round), deleted")
      await store.commit(.appendMessage(id, Make.message(3), key: nil), comment: "a message to what was deleted")
    }
    await store.commit(
      .putConversation(Make.conversation("a")), .appendMessage(id, Make.message(1), key: Make.key("ann", "1")), .deleteConversation(id),
      .putConversation(Make.conversation("a", revision: 2)),
      .appendMessage(id, Make.message(3), key: Make.key("ann", "1")))
    for _ in 1...3 {
      await store.compare(.conversation(id), .messages(id, .newest, limit: 9), comment: "deleted and made in one set")
      // What the store removes later must not be what was made since.
      await store.commit(.putConversation(Make.conversation("b")))
    }
  }
}
