import Glibc
import Locks
import Transport

/// What happened on a loop, in order, for a test to wait for.
final class Journal: Sendable {
  private struct State: Sendable {
    var lines: [String] = []
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Lock(State())

  var lines: [String] { state.withLock { $0.lines } }

  func write(_ line: String) {
    let due = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.lines.append(line)
      guard let waiting = state.waiting, state.lines.count >= waiting.count else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    due?.resume()
  }

  /// Waits until there are so many lines.
  func lines(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.lines.count < count { state.waiting = (count, continuation) }
        return state.lines.count >= count
      }
      if isThere { continuation.resume() }
    }
    return lines
  }
}

/// A handler made of closures.
final class ClosureHandler: SocketHandler, TimerTarget, MailboxOwner {
  // Each is handed the handler itself: the compiler refuses a closure that captures it and gives it to the loop.
  typealias Body = (ClosureHandler, isolated EventLoop) -> Void

  var onReady: (ClosureHandler, Readiness, isolated EventLoop) -> Void = { _, _, _ in }
  var onFlush: Body = { _, _ in }
  var onTimer: (ClosureHandler, Int, isolated EventLoop) -> Void = { _, _, _ in }
  var onMail: Body = { _, _ in }
  var timers: [Int: TimerID] = [:]

  func ready(_ events: Readiness, on loop: isolated EventLoop) { onReady(self, events, loop) }
  func flush(on loop: isolated EventLoop) { onFlush(self, loop) }
  func timerFired(_ tag: Int, on loop: isolated EventLoop) { onTimer(self, tag, loop) }
  func mailArrived(on loop: isolated EventLoop) { onMail(self, loop) }
}

/// Descriptors as a client of a test uses them: it may wait, at most ten seconds.
enum Client {
  /// Two connected nonblocking unix sockets.
  static func pair() -> (CInt, CInt) {
    var pair: [CInt] = [-1, -1]
    socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0, &pair)
    return (pair[0], pair[1])
  }

  /// Waits for events and says which came; none after ten seconds.
  @discardableResult
  static func wait(_ descriptor: CInt, for events: Int32) -> Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    guard poll(&entry, 1, 10_000) == 1 else { return 0 }
    return Int32(entry.revents)
  }

  /// A connected socket; the error of the attempt otherwise.
  static func connect(to address: SocketAddress) throws -> CInt {
    let descriptor = try Socket.connect(to: address)
    wait(descriptor, for: POLLOUT)
    if let error = Socket.pendingError(descriptor) {
      Socket.close(descriptor)
      throw error
    }
    return descriptor
  }

  static func send(_ text: String, to descriptor: CInt) {
    _ = Array(text.utf8).withUnsafeBytes { Socket.send(descriptor, $0) }
  }

  /// Waits for the next result of a receive that is not `wouldBlock`, and the bytes as text.
  static func receive(_ descriptor: CInt) -> (result: IOResult, text: String) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    wait(descriptor, for: POLLIN)
    let result = bytes.withUnsafeMutableBytes { Socket.receive(descriptor, into: $0) }
    guard case .bytes(let count) = result else { return (result, "") }
    return (result, String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// A path for a unix socket that no other test uses.
  static func path(_ name: String) -> String { "/tmp/parley-test-\(getpid())-\(name).sock" }
}
