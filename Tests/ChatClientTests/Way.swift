import ChatInProcess
import ChatSDK
import Crypto
import Glibc

/// The two ways to a chat.
enum Way: CaseIterable {
  case overSocket
  case inProcess

  func start() async throws -> any World {
    switch self {
    case .overSocket: try await GatewayWorld.start()
    case .inProcess: try await InProcessWorld.start()
    }
  }
}

/// Where chats of several users meet.
protocol World: Sendable {
  /// A user's chat, connected.
  func chat(_ id: String, _ configuration: ChatConfiguration) async throws -> ChatImpl
  func stop() async
}

extension GatewayWorld: World {}

/// An engine with a store in a folder of its own.
struct InProcessWorld: World {
  let engine: InProcessEngine
  private let folder: String

  static func start() async throws -> InProcessWorld {
    let folder = "/tmp/parley-sdk-test-\(getpid())-\(SecureRandom.token())"
    return InProcessWorld(engine: try await InProcessEngine.start(folder: folder), folder: folder)
  }

  func chat(_ id: String, _ configuration: ChatConfiguration) async throws -> ChatImpl {
    try await ChatImpl(chatConfiguration: configuration, engine: engine, userId: id).initialize()
  }

  func stop() async {
    await engine.stop()
    removeStore(folder)
  }
}

/// Removes a store's folder.
func removeStore(_ folder: String) {
  for name in ["parley.db", "parley.db-wal", "parley.db-shm", "lock", "parley.lock"] { unlink("\(folder)/\(name)") }
  rmdir(folder)
}
