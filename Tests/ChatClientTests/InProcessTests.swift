import ChatInProcess
import ChatSDK
import TestSupport
import Testing

/// What is of the engine in the process alone.
@Suite(.timeLimit(.minutes(1))) struct InProcessTests {
  @Test func `an engine keeps what was said, and ends its chats when it stops`() async throws {
    let world = try await InProcessWorld.start()
    let chat = try await world.chat("ada", ChatConfiguration())
    let room = chat.conversation(id: "room")
    try await room.createIfNotExists()
    try await room.send(text: "kept")
    let watched = room.subscribeMessages()
    _ = try await watched.connected.await()
    let bad = ChatImpl(engine: world.engine, userId: "a/b")
    var code: ChatError.Code?
    do throws(ChatError) { try await bad.initialize() } catch { code = error.code }
    expectEqual(code, .invalidParams)
    let another = try await world.chat("ada", ChatConfiguration())
    another.destroy()
    expectEqual(try await room.history().messages.map(\.plaintext), ["kept"])
    await world.engine.stop()
    expectEqual(await watched.terminated.await().type, "error")
    do throws(ChatError) { try await room.send(text: "late") } catch { code = error.code }
    expectEqual(code, .unauthenticated)
    await world.stop()
    do throws(ChatError) {
      _ = try await InProcessEngine.start(folder: "/dev/null/x")
      expect(false)
    } catch { expectEqual(error.code, .unavailable) }
  }
}
