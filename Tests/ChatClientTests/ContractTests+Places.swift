import ChatSDK
import TestSupport
import Testing

// Who sees what, and for how long.
extension ContractTests {
  @Test(arguments: Way.allCases) func `who is removed sees nothing, and everything again when they come back`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      try await room.createIfNotExists()
      let first = try await room.send(text: "before")
      try await other.createIfNotExists()
      let joined = try #require(try await other.get()).joinedAt
      let (conversation, messages, people) = (Seen<ConversationSnapshot?>(), Seen<[MessageSnapshot]?>(), Seen<[ParticipantSnapshot]?>())
      let (typing, list) = (Seen<TypingSnapshot?>(), Seen<[ConversationSnapshot]>())
      _ = other.subscribe { conversation.add($0) }
      _ = other.subscribeMessages { list, _ in messages.add(list) }
      _ = other.subscribeParticipants { list, _ in people.add(list) }
      _ = other.subscribeTyping { typing.add($0) }
      _ = chats[1].subscribeConversations { snapshot, _ in list.add(snapshot) }
      try await messages.first("the whole history") { $0?.map(\.id) == [first.id] }
      try await list.first("in the list") { $0.map(\.id) == ["room"] }
      try await room.participant(user: "bob").delete()
      try await conversation.first("no conversation") { $0 == nil }
      try await messages.first("no messages") { $0 == nil }
      try await people.first("no participants") { $0 == nil }
      try await typing.first("nobody typing") { $0 == nil }
      try await list.first("not in the list") { $0.isEmpty }
      expectEqual(await outcome { () async throws(ChatError) in try await other.send(text: "x") }, "102 ")
      try await room.send(text: "meanwhile")
      try await room.participant(user: "bob").createIfNotExists()
      try await messages.first("all of it") { $0?.map(\.plaintext) == ["meanwhile", "before"] }
      let back = try await conversation.first("back") { ($0?.joinedAt ?? 0) >= joined && $0 != nil }
      expectEqual(back?.lastMessage?.plaintext, "meanwhile")
    }
  }

  @Test(arguments: Way.allCases) func `whom one mutes one does not see`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      try await room.createIfNotExists()
      try await other.createIfNotExists()
      try await other.send(text: "loud")
      let messages = Seen<[MessageSnapshot]?>()
      _ = room.subscribeMessages { list, _ in messages.add(list) }
      try await messages.first("seen") { $0?.map(\.plaintext) == ["loud"] }
      try await chats[0].mutedUsersManager.muteUser("bob")
      try await messages.first("hidden") { $0?.isEmpty == true }
      expectEqual(try await chats[0].mutedUsersManager.mutedUsers(), ["bob"])
      expectEqual(try await room.get()?.unreadMessageCount, 0)
      expectEqual(await outcome { () async throws(ChatError) in try await chats[0].mutedUsersManager.muteUser("ada") }, "-32602 user")
      try await chats[0].mutedUsersManager.unmuteUser("bob")
      expectEqual(try await room.history().messages.map(\.plaintext), ["loud"])
    }
  }

  @Test(arguments: Way.allCases) func `a direct conversation is that of two`(_ way: Way) async throws {
    try await with(way, "ada", "bob", "cleo") { chats in
      let direct = try await chats[0].createDirectConversation(user: "bob")
      expectEqual(try await direct.get()?.type, .direct)
      let third = chats[2].conversation(id: direct.id)
      expectEqual(try await third.get(), nil)
      expectEqual(await outcome { () async throws(ChatError) in try await third.set(subject: "x") }.prefix(4), "101 ")
      expectEqual(
        await outcome { () async throws(ChatError) in try await direct.participant(user: "cleo").createIfNotExists() }.prefix(4), "101 ")
      expectEqual(await outcome { () async throws(ChatError) in try await chats[0].createDirectConversation(user: "ada") }, "-32602 with")
      expectEqual(await outcome { () async throws(ChatError) in try await chats[0].createDirectConversation(user: "nobody") }, "104 with")
      try await direct.send(text: "hi")
      expectEqual(try await chats[1].conversation(id: direct.id).get()?.unreadMessageCount, 1)
    }
  }

  @Test(arguments: Way.allCases) func `subscriptions begin, change and end each for itself`(_ way: Way) async throws {
    try await with(way, "ada") { chats in
      let room = chats[0].conversation(id: "room")
      // So that no snapshot is faster than the end.
      chats[0].disconnectSubscriptions()
      let left = room.subscribe()
      left.unsubscribe()
      left.unsubscribe()
      chats[0].reconnectSubscriptions()
      expectEqual(left.state, .unsubscribed)
      expectEqual(await outcome { () async throws(ChatError) in try await left.connected.await() }, "3 ")
      expectEqual(await left.terminated.await(), .unsubscribed)
      let (one, two) = (Seen<ConversationSnapshot?>(), Seen<ConversationSnapshot?>())
      let first = room.subscribe { one.add($0) }
      expectEqual(try await first.connected.await(), .active(latestSnapshot: nil), "not in it is no error")
      try await room.createIfNotExists(subject: "S")
      try await one.first("joined") { $0?.subject == "S" }
      let second = room.subscribe { two.add($0) }
      try await two.first("what is known") { $0?.subject == "S" }
      first.unsubscribe()
      try await room.set(subject: "T")
      try await two.first("changed") { $0?.subject == "T" }
      expect(!one.values.contains { $0?.subject == "T" }, "the other one has ended")
      guard case .active(let latest) = second.state else { return expect(false) }
      expectEqual(latest?.subject, "T")
      expectEqual(try await second.connected.await(), .active(latestSnapshot: two.values[0]), "the first active state")
      let bad = chats[0].conversation(id: "a,b").subscribeMessages()
      expectEqual(await outcome { () async throws(ChatError) in try await bad.connected.await() }, "-32602 conversation")
      expectEqual(await outcome { () async throws(ChatError) in try await bad.loadMore() }, "3 ")
      chats[0].disconnectSubscriptions()
      try await room.set(subject: "U")
      expectEqual(second.state, .active(latestSnapshot: latest), "paused")
      chats[0].reconnectSubscriptions()
      try await two.first("resumed") { $0?.subject == "U" }
    }
  }

  @Test(arguments: Way.allCases) func `who may only read may not write, and raises nothing`(_ way: Way) async throws {
    try await with(way, "ada", "bob") { chats in
      let (room, other) = (chats[0].conversation(id: "room"), chats[1].conversation(id: "room"))
      try await room.createIfNotExists()
      let message = try await room.send(text: "x")
      try await room.participant(user: "bob").createIfNotExists(access: .Read)
      let refused: [(String, () async throws(ChatError) -> Void)] = [
        ("103", { () async throws(ChatError) in try await other.send(text: "x") }),
        ("103", { () async throws(ChatError) in try await other.startTyping() }),
        ("103", { () async throws(ChatError) in try await other.set(subject: "x") }),
        ("101", { () async throws(ChatError) in try await other.set(access: .ReadWrite) }),
        ("101", { () async throws(ChatError) in try await other.participant(user: "bob").edit(access: .ReadWrite) }),
      ]
      for (index, (code, body)) in refused.enumerated() {
        let got = await outcome { () async throws(ChatError) in try await body() }
        expectEqual(got.split(separator: " ").first.map(String.init), code, "\(index)")
      }
      try await other.set(notify: .False)
      try await other.markAsUnread()
      try await other.markAsRead(upTo: message.id)
      expectEqual(try await other.get()?.notify, .False)
      try await other.participant(user: "bob").delete()
      try await other.createIfNotExists()
      expectEqual(try await other.get()?.access, .Read, "not raised by leaving")
    }
  }
}
