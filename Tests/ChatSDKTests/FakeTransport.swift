import ChatModel
import Locks

@testable import ChatSDK

/// A transport that a test plays: it keeps what it is asked, and says what it is told to.
final class FakeTransport: ChatTransport {
  typealias Answer = @Sendable (Result<ChatReply, ChatSDK.ChatError>) -> Void

  private struct State {
    var receive: (@Sendable (TransportEvent) -> Void)?
    var calls: [(ChatCall, Answer)] = []
    var isClosed = false
  }

  private let state = Lock(State())

  func open(_ receive: @escaping @Sendable (TransportEvent) -> Void) { state.withLock { $0.receive = receive } }

  func perform(_ call: ChatCall, _ answer: @escaping Answer) { state.withLock { $0.calls.append((call, answer)) } }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.receive = nil
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  var isOpen: Bool { state.withLock { $0.receive != nil } }
  var calls: [ChatCall] { state.withLock { $0.calls.map(\.0) } }

  func say(_ event: TransportEvent) { state.withLock { $0.receive }?(event) }

  /// Answers the call that waits longest.
  func answer(_ result: Result<ChatReply, ChatSDK.ChatError>) { state.withLock { $0.calls.removeFirst() }.1(result) }

  static func user(_ id: String) -> ChatModel.UserSnapshot {
    ChatModel.UserSnapshot(
      id: UserID(stored: id), name: id, role: "default", photoUrl: nil, locale: nil, custom: CustomFields(), welcomeMessage: nil)
  }
}

/// Waits until something holds; false after ten seconds.
func holds(_ condition: () -> Bool) async -> Bool {
  let start = ContinuousClock.now
  while ContinuousClock.now - start < .seconds(10) {
    if condition() { return true }
    await Task.yield()
  }
  return false
}
