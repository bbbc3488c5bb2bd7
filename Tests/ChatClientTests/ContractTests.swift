import ChatSDK
import TestSupport
import Testing

/// What each call means, as a program that uses the SDK sees it: over a real gateway, and in process, with a real store.
@Suite(.timeLimit(.minutes(2))) struct ContractTests {
  /// Runs a body with chats, and compares what it did with what it should have.
  func with(_ way: Way, _ names: String..., body: ([ChatImpl]) async throws -> Void) async throws {
    let world = try await way.start()
    var chats: [ChatImpl] = []
    for name in names { chats.append(try await world.chat(name, ChatConfiguration())) }
    do { try await body(chats) } catch { Issue.record(error) }
    for chat in chats { chat.destroy() }
    await world.stop()
  }

  /// The code and the field of an error, or `ok`.
  func outcome<Value>(_ body: () async throws(ChatError) -> Value) async -> String {
    do throws(ChatError) {
      _ = try await body()
      return "ok"
    } catch { return "\(error.code.rawValue) \(error.field ?? "")" }
  }

  @Test(arguments: Way.allCases) func `conversations are made, changed, reset and left`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let room = chats[0].conversation(id: "room")
      expectEqual(try await room.get(), nil)
      try await room.createIfNotExists(
        access: .ReadWrite, custom: ["a": "1"], notify: .MentionsOnly, photoUrl: "https://x/y", subject: "S", welcomeMessages: ["hi"],
        type: .public)
      try await room.createIfNotExists(subject: "other")
      let made = try #require(try await room.get())
      expectEqual([made.subject, made.photoUrl, made.custom["a"], made.welcomeMessages.first], ["S", "https://x/y", "1", "hi"])
      expect(made.type == .public && made.notify == .MentionsOnly && made.access == .ReadWrite && made.id == "room")
      expect(made.joinedAt == made.createdAt && made.lastMessage == nil && made.unreadMessageCount == 0 && !made.isUnread)
      try await room.set(subject: "T", custom: ["a": nil, "b": "2"], notify: .False)
      let changed = try #require(try await room.get())
      expect(changed.subject == "T" && changed.custom == ["b": "2"] && changed.notify == .False && changed.photoUrl == "https://x/y")
      try await room.deleteFields("subject", "photoUrl", "welcomeMessages", "custom.b", "notify", "access")
      let bare = try #require(try await room.get())
      expect(bare.subject == nil && bare.photoUrl == nil && bare.custom == [:] && bare.welcomeMessages == [] && bare.notify == .True)
      try await room.set(photoUrl: "https://x", welcomeMessages: ["a", "b"], custom: ["c": "3"], access: .ReadWrite)
      try await room.deleteFields("custom")
      expectEqual(try await room.get()?.custom, [:])
      expectEqual(try await chats[1].conversation(id: "room").get(), nil, "not in it")
      try await chats[1].conversation(id: "room").set()
      expect(try await chats[1].conversation(id: "room").get() != nil, "set joins")
      try await room.participant(user: "ada").delete()
      expectEqual(try await room.get(), nil, "left")

      let drawn = try await chats[0].createConversation(subject: "drawn")
      expectEqual(try await drawn.get()?.subject, "drawn")
      let direct = try await chats[0].createDirectConversation(user: "bob")
      expectEqual(try await direct.get()?.type, .direct)
      expectEqual(try await chats[1].createDirectConversation(user: "ada").id, direct.id)
      expectEqual(chats[0].conversation(id: "room"), chats[0].conversation(id: "room"))
      expect(chats[0].conversation(id: "room") != chats[1].conversation(id: "room"))
    }
  }

  @Test(arguments: Way.allCases) func `messages are sent, answered, edited and removed`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let room = chats[0].conversation(id: "room")
      try await room.createIfNotExists()
      let first = try await room.send(text: "one", custom: ["k": "v"])
      let second = try await room.send(content: [TextBlock(children: ["two"])], referencedMessage: first.id)
      let sent = try #require(try await second.get())
      expect(sent.type == .UserMessage && sent.origin == .web && sent.sender?.id == "ada" && sent.conversation == "room")
      expectEqual([sent.plaintext, sent.referencedMessage?.plaintext, sent.referencedMessage?.custom["k"]], ["two", "one", "v"])
      expectEqual(sent.content, [.text(TextBlock(children: ["two"]))])
      let rich = try await room.send(text: "*bold* <@ada> `code` https://x.y/z")
      let parts = try #require(try await rich.get())
      guard case .text(let block)? = parts.content.first else { return expect(false) }
      expect(block.children.contains(.bold(["bold"])) && block.children.contains(.codeSpan("code")), "\(block)")
      expect(parts.plaintext.hasPrefix("bold ") && parts.plaintext.contains("@ada code"), parts.plaintext)
      let again = try await room.send(content: [parts.content[0]])
      expectEqual(try await again.get()?.content, parts.content, "what was received can be sent")
      let place = try await room.send(content: [LocationBlock(latitude: 1.5, longitude: -2)])
      expectEqual(try await place.get()?.content, [.location(LocationBlock(latitude: 1.5, longitude: -2))])
      for message in [rich, again, place] { try await message.delete() }
      try await first.edit(text: "uno", custom: ["k": nil, "l": "w"])
      let edited = try #require(try await room.message(id: first.id).get())
      expect(edited.plaintext == "uno" && edited.custom == ["l": "w"] && edited.editedAt != nil && edited.createdAt <= sent.createdAt)
      try await first.edit(content: [sent.content[0]])
      try await first.edit(custom: ["m": "x"])
      expectEqual(try await first.get()?.plaintext, "two")
      try await first.deleteFields("custom.l")
      expectEqual(try await first.get()?.custom, ["m": "x"])
      try await first.deleteFields("custom")
      expectEqual(try await first.get()?.custom, [:])
      try await second.reaction("👍").add()
      try await second.reaction("👍").add()
      try await second.reaction(":own:").add()
      let reacted = try #require(try await second.get()).reactions
      expectEqual(reacted.map { "\($0.emoji) \($0.count) \($0.currentUserReacted)" }, ["👍 1 true", ":own: 1 true"])
      try await second.reaction(":own:").remove()
      try await second.reaction(":own:").remove()
      expectEqual(try await second.get()?.reactions.count, 1)
      expectEqual(await outcome { () async throws(ChatError) in try await second.reaction("x").add() }, "-32602 emoji")
      try await second.pin()
      expectEqual(try await room.get()?.pinnedMessage?.id, second.id)
      try await room.unpinMessage()
      expectEqual(try await room.get()?.pinnedMessage, nil)
      try await first.delete()
      try await first.delete()
      expectEqual(try await first.get(), nil)
      expectEqual(try await second.get()?.referencedMessage, nil, "what it answered is gone")
      expectEqual(try await room.get()?.lastMessage?.id, second.id)
      for number in 0..<4 { try await room.send(text: "\(number)") }
      let page = try await room.history(before: second.id)
      expect(page.messages.isEmpty && page.loadedAll)
      let newest = try await room.history(limit: 2)
      expect(newest.messages.map(\.plaintext) == ["3", "2"] && !newest.loadedAll)
      expectEqual(try await room.history(after: second.id).messages.map(\.plaintext), ["3", "2", "1", "0"])
      expectEqual(try await chats[1].conversation(id: "room").message(id: second.id).get(), nil, "not in it")
    }
  }

  @Test(arguments: Way.allCases) func `what is refused names code and field`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      try await room.createIfNotExists()
      let message = try await room.send(text: "x")
      let long = String(repeating: "x", count: 10_001)
      let cases: [(String, () async throws(ChatError) -> Void)] = [
        ("102 ", { () async throws(ChatError) in try await other.markAsRead() }),
        ("102 ", { () async throws(ChatError) in try await other.send(text: "x") }),
        ("102 ", { () async throws(ChatError) in try await other.markAsTyping() }),
        ("102 ", { () async throws(ChatError) in _ = try await other.participant(user: "ada").get() }),
        ("107 text", { () async throws(ChatError) in try await room.send(text: long) }),
        ("-32602 text", { () async throws(ChatError) in try await room.send(text: " \n") }),
        ("104 referencedMessage", { () async throws(ChatError) in try await room.send(text: "x", referencedMessage: "y") }),
        ("107 subject", { () async throws(ChatError) in try await room.set(subject: String(long.prefix(201))) }),
        ("-32602 photoUrl", { () async throws(ChatError) in try await room.set(photoUrl: "ftp://x") }),
        ("-32602 fields", { () async throws(ChatError) in try await room.deleteFields("id") }),
        ("-32602 fields", { () async throws(ChatError) in try await message.deleteFields("text") }),
        ("-32602 fields", { () async throws(ChatError) in try await room.participant(user: "ada").deleteFields("user") }),
        ("-32602 fields", { () async throws(ChatError) in try await chats[0].currentUser.deleteFields("name") }),
        ("-32602 conversation", { () async throws(ChatError) in try await chats[0].conversation(id: "").createIfNotExists() }),
        ("-32602 user", { () async throws(ChatError) in _ = try await chats[0].user(id: "a/b").get() }),
        ("-32602 after", { () async throws(ChatError) in _ = try await room.history(before: "a", after: "b") }),
        ("-32602 limit", { () async throws(ChatError) in _ = try await room.history(limit: 101) }),
        ("106 type", { () async throws(ChatError) in try await room.createIfNotExists(type: .public) }),
        ("104 user", { () async throws(ChatError) in try await room.participant(user: "nobody").createIfNotExists() }),
        ("104 user", { () async throws(ChatError) in try await room.participant(user: "bob").edit(notify: .False) }),
        ("101 ", { () async throws(ChatError) in try await room.delete() }),
      ]
      for (index, (expected, body)) in cases.enumerated() {
        let got = await outcome { () async throws(ChatError) in try await body() }
        // The field is the gateway's to name where it is no param.
        expect(got == expected || got.hasPrefix(expected.split(separator: " ")[0] + " ") && expected.hasSuffix(" "), "\(index): \(got)")
      }
      expectEqual(await outcome { () async throws(ChatError) in try await room.setRestrictions(user: "bob", mute: true) }, "101 ")
      expectEqual(await outcome { () async throws(ChatError) in try await room.getRestrictions() }, "101 ")
      try await other.createIfNotExists()
      expectEqual(try await room.whoIsPresent().users.map(\.id), ["ada", "bob"])
      expectEqual(try await chats[0].user(id: "bob").wherePresent(), ["room"])
      try await room.participant(user: "bob").set(access: .Read)
      expectEqual(await outcome { () async throws(ChatError) in try await other.send(text: "x") }, "103 ")
      expectEqual(await outcome { () async throws(ChatError) in try await other.markAsRead(upTo: message.id) }, "ok")
    }
  }

  @Test(arguments: Way.allCases) func `reading moves the marker, and everybody's`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      try await room.createIfNotExists()
      try await other.createIfNotExists()
      let seen = Seen<ConversationSnapshot?>()
      let watched = other.subscribe { seen.add($0) }
      let first = try await room.send(text: "1")
      try await room.send(text: "2")
      try await seen.first("two unread") { $0?.unreadMessageCount == 2 && $0?.isUnread == true }
      try await other.markAsRead(upTo: first.id)
      try await seen.first("one unread") { $0?.unreadMessageCount == 1 }
      try await other.markAsRead()
      let read = try await seen.first("none unread") { $0?.unreadMessageCount == 0 }
      expect(read?.isUnread == false && read?.everyoneReadUntil != nil)
      try await other.markAsUnread()
      try await seen.first("marked") { $0?.isUnread == true && $0?.unreadMessageCount == 0 }
      expectEqual(try await chats[1].markAllAsRead(), 1)
      try await seen.first("all read") { $0?.isUnread == false }
      watched.unsubscribe()
    }
  }

  @Test(arguments: Way.allCases) func `typing is shown to others until it ends`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      let seen = Seen<TypingSnapshot?>()
      _ = room.subscribeTyping { seen.add($0) }
      try await seen.first("nothing to see") { $0 == nil }
      try await room.createIfNotExists()
      try await other.createIfNotExists()
      try await other.markAsTyping()
      let typing = try await seen.first("typing") { $0?.users?.map(\.id) == ["bob"] }
      expectEqual(typing?.many, false)
      try await other.send(text: "x")
      try await seen.first("sent") { $0?.users == [] }
      try await other.startTyping()
      try await seen.first("started") { $0?.users?.map(\.id) == ["bob"] }
      try await other.stopTyping()
      try await seen.first("stopped") { $0?.users == [] }
    }
  }

  @Test(arguments: Way.allCases) func `participants and users are seen as they are now`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let room = chats[0].conversation(id: "room")
      try await room.createIfNotExists()
      let seen = Seen<[ParticipantSnapshot]?>()
      let watched = room.subscribeParticipants { list, _ in seen.add(list) }
      let bob = room.participant(user: "bob")
      expectEqual(try await bob.get(), nil)
      try await bob.createIfNotExists(access: .Read, notify: .False)
      try await seen.first("joined") { $0?.map(\.user.id) == ["bob", "ada"] }
      let place = try #require(try await bob.get())
      expect(place.access == .Read && place.notify == .False && place.joinedAt > 0)
      try await bob.edit(access: .ReadWrite)
      try await bob.set(notify: .MentionsOnly)
      try await bob.deleteFields("notify", "access")
      expectEqual(try await bob.get()?.notify, .True)
      let online = Seen<UserOnlineSnapshot?>()
      _ = chats[0].user(id: "bob").subscribeOnline { online.add($0) }
      try await online.first("online") { $0?.isConnected == true }
      let user = Seen<UserSnapshot?>()
      _ = chats[0].user(id: "bob").subscribe { user.add($0) }
      try await chats[1].currentUser.set(name: "Bobby", custom: ["k": "v"], locale: "en", photoUrl: "https://b", welcomeMessage: "hey")
      try await user.first("renamed") { $0?.name == "Bobby" && $0?.custom == ["k": "v"] && $0?.locale == "en" }
      try await seen.first("nested") { $0?.first?.user.photoUrl == "https://b" }
      expectEqual(try await chats[0].user(id: "bob").get()?.welcomeMessage, "hey")
      expectEqual(try await chats[0].user(id: "nobody").get(), nil)
      try await chats[1].currentUser.createIfNotExists(name: "Other", custom: ["x": "y"])
      expectEqual(try await chats[0].user(id: "bob").get()?.name, "Bobby")
      try await bob.delete()
      try await bob.delete()
      try await seen.first("removed") { $0?.map(\.user.id) == ["ada"] }
      watched.unsubscribe()
    }
  }

  @Test(arguments: Way.allCases) func `lists grow by what is new and by loadMore`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let room = chats[0].conversation(id: "room")
      let messages = Seen<(list: [MessageSnapshot]?, loadedAll: Bool)>()
      let watched = room.subscribeMessages { messages.add(($0, $1)) }
      expectEqual(try await watched.connected.await(), .active(latestSnapshot: nil, loadedAll: true))
      try await room.createIfNotExists()
      try await messages.first("joined") { $0.list == [] && $0.loadedAll }
      for number in 0..<25 { try await room.send(text: "\(number)") }
      let later = chats[0].conversation(id: "room")
      let fresh = Seen<(list: [MessageSnapshot]?, loadedAll: Bool)>()
      watched.unsubscribe()
      let second = later.subscribeMessages { fresh.add(($0, $1)) }
      try await fresh.first("the newest ten") { $0.list?.map(\.plaintext) == (15..<25).reversed().map(String.init) && !$0.loadedAll }
      // Both share one page.
      async let one: Void = second.loadMore(count: 5)
      async let two: Void = second.loadMore(count: 5)
      _ = try await (one, two)
      guard case .active(let grown?, loadedAll: false) = second.state else { return expect(false, "\(second.state)") }
      expect(grown.count == 15 || grown.count == 20, "one page, or two where the second call came late: \(grown.count)")
      try await room.send(text: "new")
      try await fresh.first("a new one on top") { $0.list?.first?.plaintext == "new" && ($0.list?.count ?? 0) > 15 }
      expectEqual(await outcome { () async throws(ChatError) in try await second.loadMore(count: 101) }, "-32602 count")
      try await second.loadMore(count: 100)
      try await second.loadMore()
      guard case .active(let all?, loadedAll: true) = second.state else { return expect(false, "\(second.state)") }
      expectEqual(all.count, 26)

      for number in 0..<22 { try await chats[0].conversation(id: "c\(number)").createIfNotExists() }
      let lists = Seen<(list: [ConversationSnapshot], loadedAll: Bool)>()
      let list = chats[0].subscribeConversations { lists.add(($0, $1)) }
      try await lists.first("twenty") { $0.list.count == 20 && $0.list.first?.id == "c21" && !$0.loadedAll }
      try await list.loadMore(count: 30)
      guard case .active(let conversations, loadedAll: true) = list.state else { return expect(false, "\(list.state)") }
      expect(conversations.count == 23 && conversations.last?.id == "room")
      try await room.send(text: "up")
      try await lists.first("last active first") { $0.list.first?.id == "room" && $0.list.first?.lastMessage?.plaintext == "up" }
    }
  }
}
