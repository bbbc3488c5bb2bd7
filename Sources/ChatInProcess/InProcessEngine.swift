public import ChatSDK
import ChatModel
import Gateway
import Observability
import SQLiteStore
import Transport

/// The chat without a gateway: the same engine, the same store, in this process.
public final class InProcessEngine: Sendable {
  private let engine: LocalEngine
  private let store: SQLiteStore

  private init(_ engine: LocalEngine, _ store: SQLiteStore) {
    self.engine = engine
    self.store = store
  }

  /// Opens the store in a folder, which is made where it is not there, and starts the engine over it.
  ///
  /// The folder is this process' alone: no gateway may run on it.
  public static func start(folder: String) async throws(ChatSDK.ChatError) -> InProcessEngine {
    do {
      let store = try SQLiteStore(folder: folder)
      do {
        let settings = LocalEngine.Settings(log: Logger(threshold: LogThreshold(.error), now: { 0 }, sink: { _ in }))
        let engine = try await LocalEngine.start(settings, store: store, loops: [try EventLoop(index: 0)])
        return InProcessEngine(engine, store)
      } catch {
        store.close()
        throw error
      }
    } catch { throw ChatError(.unavailable, "The engine cannot be started: \(error)", field: "folder") }
  }

  /// Ends all chats over it, and closes the store.
  public func stop() async {
    await engine.stop()
    store.close()
  }

  /// Opens a session.
  func open(_ user: UserID, name: String?, receive: @escaping @Sendable (LocalEvent) -> Void) -> LocalSession {
    engine.open(user, name: name, receive: receive)
  }
}

extension ChatImpl {
  /// Makes the chat of a user over an engine in this process.
  ///
  /// Keep a strong reference: the chat ends when nobody does.
  public convenience init(
    chatConfiguration: ChatConfiguration = ChatConfiguration(), engine: InProcessEngine, userId: String, name: String? = nil
  ) {
    self.init(chatConfiguration: chatConfiguration, transport: InProcessTransport(engine, userId: userId, name: name))
  }
}
