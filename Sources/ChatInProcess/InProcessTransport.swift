import ChatModel
import ChatSDK
import Gateway
import Locks

/// The transport to an engine of this process: there is one session, and it is never lost.
final class InProcessTransport: ChatTransport {
  private let engine: InProcessEngine
  private let userId: String
  private let name: String?
  /// Nil before it was opened and once it is closed.
  private let session = Lock<LocalSession?>(nil)

  init(_ engine: InProcessEngine, userId: String, name: String?) {
    self.engine = engine
    self.userId = userId
    self.name = name
  }

  func open(_ receive: @escaping @Sendable (TransportEvent) -> Void) {
    let user: UserID
    do throws(IdentifierViolation) { user = try UserID(userId) } catch {
      let refusal = ChatSDK.ChatError(.invalidParams, "userId \(error.sentence)", field: "userId")
      return Self.later { receive(.failed(refusal)) }
    }
    let opened = engine.open(user, name: name) { event in
      switch event {
      case .opened(let user): receive(.connected(user: user))
      case .snapshot(let topic, let snapshot): receive(.snapshot(topic, snapshot))
      case .refused(let error), .ended(let error): receive(.failed(ChatSDK.ChatError(error)))
      }
    }
    session.withLock { $0 = opened }
  }

  func perform(_ call: ChatCall, _ answer: @escaping @Sendable (Result<ChatReply, ChatSDK.ChatError>) -> Void) {
    guard let session = session.withLock({ $0 }) else { return Self.later { answer(.failure(.connectionLost)) } }
    session.perform(call) { answer($0.mapError { ChatSDK.ChatError($0) }) }
  }

  func close() {
    let session = session.withLock { box in
      defer { box = nil }
      return box
    }
    session?.close()
  }

  private static func later(_ body: @escaping @Sendable () -> Void) { Task { body() } }
}
