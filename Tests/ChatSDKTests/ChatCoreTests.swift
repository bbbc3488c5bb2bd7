import ChatModel
import Locks
import TestSupport
import Testing

@testable import ChatSDK

/// A chat over a transport that the test plays.
@Suite(.timeLimit(.minutes(1))) struct ChatCoreTests {
  private let transport = FakeTransport()
  private let room = ConversationID(stored: "room")

  private func chat() async throws -> ChatImpl {
    let chat = ChatImpl(chatConfiguration: ChatConfiguration(typingTimeout: 1), transport: transport)
    async let ready = chat.initialize()
    expect(await holds { transport.isOpen })
    transport.say(.connected(user: FakeTransport.user("ada")))
    expect(await holds { transport.calls.count == 1 }, "the own user is made")
    transport.answer(.success(.user(FakeTransport.user("ada"))))
    _ = try await ready
    return chat
  }

  private func code<Value>(_ body: () async throws(ChatSDK.ChatError) -> Value) async -> ChatSDK.ChatError.Code? {
    do throws(ChatSDK.ChatError) {
      _ = try await body()
      return nil
    } catch { return error.code }
  }

  @Test func `nothing is done before initialize, and nothing after destroy`() async throws {
    let fresh = ChatImpl(chatConfiguration: ChatConfiguration(), transport: transport)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await fresh.conversation(id: "a").get() }, .notInitialized)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try fresh.currentUser }, .notInitialized)
    expect(!fresh.isReconnecting)
    let chat = try await chat()
    expectEqual(try chat.currentUser.id, "ada")
    expectEqual(chat.storeUserActivityInterval, 600)
    let conversation = chat.conversation(id: "room")
    let watched = conversation.subscribeMessages()
    async let waiting = code { () async throws(ChatSDK.ChatError) in try await conversation.get() }
    async let page = code { () async throws(ChatSDK.ChatError) in try await watched.loadMore() }
    async let connected = code { () async throws(ChatSDK.ChatError) in try await watched.connected.await() }
    async let terminated = watched.terminated.await()
    expect(await holds { transport.calls.count == 2 })
    chat.destroy()
    chat.destroy()
    expect(transport.isClosed)
    expectEqual(await [waiting, connected], [.destroyed, .destroyed])
    expect([.destroyed, .unsubscribed].contains(await page))
    expectEqual(await terminated, .error(.destroyed))
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "x") }, .destroyed)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await chat.initialize() }, .destroyed)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try chat.currentUser }, .destroyed)
    expectEqual(conversation.subscribe().state, .error(.destroyed))
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await watched.loadMore() }, .unsubscribed)
  }

  @Test func `a chat that nobody keeps ends`() async throws {
    var chat: ChatImpl? = try await chat()
    let reference = chat?.user(id: "bob")
    chat = nil
    expect(transport.isClosed)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await reference?.get() }, .destroyed)
  }

  @Test func `initialize refuses a bad configuration, and tells of an attempt that failed`() async throws {
    let bad = ChatImpl(chatConfiguration: ChatConfiguration(typingTimeout: 9), transport: transport)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await bad.initialize() }, .invalidConfiguration)
    expect(!transport.isOpen)
    let chat = ChatImpl(chatConfiguration: ChatConfiguration(), transport: transport)
    async let first = code { () async throws(ChatSDK.ChatError) in try await chat.initialize() }
    expect(await holds { transport.isOpen })
    expect(chat.isReconnecting)
    transport.say(.disconnected(.connectionLost))
    expectEqual(await first, .connectionLost)
    async let second = code { () async throws(ChatSDK.ChatError) in try await chat.initialize() }
    transport.say(.connected(user: FakeTransport.user("ada")))
    expect(await holds { transport.calls.count == 1 })
    transport.answer(.failure(ChatError(.syncDisabled)))
    expectEqual(await second, nil)
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await chat.initialize() }, nil, "again it is nothing")
    let seen = Lock<[ChatSDK.ChatError]>([])
    let handle = chat.onError { error in seen.withLock { $0.append(error) } }
    transport.say(.failed(ChatError(.unauthenticated)))
    expectEqual(await code { () async throws(ChatSDK.ChatError) in try await chat.markAllAsRead() }, .unauthenticated)
    expect(await holds { seen.withLock { $0.count } == 1 })
    expectEqual(chat.user(id: "bob").subscribe().state, .error(ChatError(.unauthenticated)))
    handle.close()
  }

  @Test func `listeners hear of changes until they are closed or released`() async throws {
    let chat = try await chat()
    let seen = Lock<[ConnectionStatus]>([])
    let kept = chat.addConnectionStatusListener { status in seen.withLock { $0.append(status) } }
    _ = chat.addConnectionStatusListener { _ in expect(false, "nobody keeps it") }
    transport.say(.disconnected(.connectionLost))
    transport.say(.disconnected(.connectionLost))
    expect(chat.isReconnecting)
    transport.say(.connected(user: FakeTransport.user("ada")))
    chat.disconnectSubscriptions()
    chat.disconnectSubscriptions()
    chat.reconnectSubscriptions()
    chat.reconnectSubscriptions()
    let expected: [ConnectionStatus] = [.connectionError(.connectionLost), .online, .offline, .online]
    expect(await holds { seen.withLock { $0.count } == expected.count })
    kept.close()
    transport.say(.disconnected(.connectionLost))
    chat.destroy()
    expectEqual(seen.withLock { $0 }, expected)
  }

  @Test func `subscriptions to one topic share it, are paused together, and each ends alone`() async throws {
    let chat = try await chat()
    let seen = Lock<[Bool]>([])
    let first = chat.conversation(id: "room").subscribeTyping { snapshot in seen.withLock { $0.append(snapshot == nil) } }
    let second = chat.conversation(id: "room").subscribeTyping()
    expectEqual(transport.calls, [.subscribe(.typing(room), from: nil)])
    transport.answer(.success(.done))
    transport.say(.snapshot(.typing(room), .typing(nil)))
    expectEqual(try await second.connected.await(), .active(latestSnapshot: nil))
    let third = chat.conversation(id: "room").subscribeTyping()
    expectEqual(third.state, .active(latestSnapshot: nil), "what is known is shown at once")
    second.unsubscribe()
    second.unsubscribe()
    expectEqual(await second.terminated.await(), .unsubscribed)
    expect(await holds { seen.withLock { $0 } == [true] })
    transport.say(.snapshot(.typing(room), .typing(.many)))
    expect(await holds { seen.withLock { $0 } == [true, false] })
    chat.disconnectSubscriptions()
    expectEqual(transport.calls, [.unsubscribe(.typing(room))])
    chat.reconnectSubscriptions()
    transport.say(.disconnected(.connectionLost))
    expectEqual(first.state, third.state, "what was shown stays")
    first.unsubscribe()
    third.unsubscribe()
    transport.say(.connected(user: FakeTransport.user("ada")))
    expectEqual(transport.calls.count, 2, "nothing is asked for that nobody watches")
    expectEqual(chat.conversation(id: "a/b").subscribe().state.type, "error")
    let lists = [chat.subscribeConversations(), chat.subscribeConversations()]
    expect(lists.allSatisfy { $0.state == .pending } && Set(transport.calls.suffix(2)).count == 2, "each list has a topic of its own")
  }

  @Test func `a task that is cancelled waits no longer`() async throws {
    let chat = try await chat()
    let conversation = chat.conversation(id: "room")
    let watched = conversation.subscribeMessages()
    let tasks = [
      Task { await code { () async throws(ChatSDK.ChatError) in _ = try await conversation.get() } },
      Task { await code { () async throws(ChatSDK.ChatError) in try await watched.loadMore() } },
      Task { await code { () async throws(ChatSDK.ChatError) in try await chat.core.sleep(60_000) } },
    ]
    let waiting = { chat.core.state.withLock { $0.waiters.count } }
    expect(await holds { waiting() == tasks.count })
    for task in tasks { task.cancel() }
    for task in tasks { expectEqual(await task.value, .requestCancelled) }
    expectEqual(waiting(), 0)
    expectEqual(transport.calls.count, 2, "what was asked for is on its way")
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return await code { () async throws(ChatSDK.ChatError) in _ = try await conversation.get() }
    }
    late.cancel()
    expectEqual(await late.value, .requestCancelled, "before it began")
    expectEqual(transport.calls.count, 2, "nothing more is asked for")
  }

  @Test func `each new session is told whom to hide, before anything is subscribed`() async throws {
    let chat = try await chat()
    let bob = UserID(stored: "bob")
    func perform(_ body: @escaping @Sendable () async throws -> Void) async throws {
      async let done: Void = body()
      expect(await holds { transport.calls.count == 1 })
      transport.answer(.success(.done))
      try await done
    }
    let muted = chat.mutedUsersManager
    try await perform { try await muted.muteUser("bob") }
    _ = chat.conversation(id: "room").subscribeTyping()
    transport.answer(.success(.done))
    transport.say(.disconnected(.connectionLost))
    transport.say(.connected(user: FakeTransport.user("ada")))
    expectEqual(transport.calls, [.operation(.onSelf(.mute(bob))), .subscribe(.typing(room), from: nil)])
    for _ in 0..<2 { transport.answer(.success(.done)) }
    try await perform { try await muted.unmuteUser("bob") }
    transport.say(.disconnected(.connectionLost))
    transport.say(.connected(user: FakeTransport.user("ada")))
    expectEqual(transport.calls, [.subscribe(.typing(room), from: nil)])
  }

  @Test func `typing that was started ends by itself`() async throws {
    let chat = try await chat()
    async let started: Void = chat.conversation(id: "room").startTyping()
    expect(await holds { transport.calls == [.operation(.inConversation(room, .startTyping))] })
    transport.answer(.success(.done))
    try await started
    expect(await holds { transport.calls == [.operation(.inConversation(room, .stopTyping))] })
  }

  @Test func `sends keep the pace of their kind of conversation`() async throws {
    let chat = ChatImpl(chatConfiguration: ChatConfiguration(rateLimitPerChannel: [.group: 30_000]), transport: transport)
    async let ready = chat.initialize()
    expect(await holds { transport.isOpen })
    transport.say(.connected(user: FakeTransport.user("ada")))
    expect(await holds { transport.calls.count == 1 }, "the own user is made")
    transport.answer(.success(.user(FakeTransport.user("ada"))))
    _ = try await ready
    let snapshot = ChatModel.ConversationSnapshot(
      record: ConversationRecord(id: room, type: .group, pair: nil, createdAt: 1),
      viewer: ParticipantRecord(user: UserID(stored: "ada"), joinedAt: 1, revision: 1), lastMessage: nil, unreadMessageCount: 0,
      everyoneReadUntil: nil)
    let conversation = chat.conversation(id: "room")
    async let first = code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "1") }
    expect(await holds { transport.calls.count == 1 })
    transport.answer(.success(.conversation(snapshot)))
    expect(await holds { transport.calls.count == 1 })
    transport.answer(.failure(ChatError(.readOnly)))
    expectEqual(await first, .readOnly)
    async let second = code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "2") }
    async let third = code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "3") }
    async let fourth = code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "4") }
    // Two wait 30 and 90 s; one of the three has no place.
    let refused = await withTaskGroup(of: ChatSDK.ChatError.Code?.self) { group in
      group.addTask { await self.code { () async throws(ChatSDK.ChatError) in try await conversation.send(text: "5") } }
      return await group.next() ?? nil
    }
    expectEqual(refused, .rateLimited)
    chat.destroy()
    expect(await [second, third, fourth].allSatisfy { $0 == .destroyed || $0 == .rateLimited })
    expectEqual(transport.calls, [])
  }
}
