import Glibc
import Locks
import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
  @Test func `at the descriptor limit accepting rests and goes on`() async throws {
    let loop = try EventLoop(index: 0)
    await loop.start()
    let listening = try Socket.listen(on: .ipv4(IPv4Address(127, 0, 0, 1), port: 0))
    let address = try #require(Socket.localAddress(listening))
    let journal = Journal()
    let attempts = Lock(0)
    let listener = try await loop.run { loop in
      let accept: Listener.Acceptor = { descriptor throws(SocketError) in
        let attempt = attempts.withLock { count in
          count += 1
          return count
        }
        if attempt <= 2 {
          journal.write("refused at \(Tick.now().milliseconds)")
          throw SocketError(.accept, code: EMFILE)
        }
        return try Socket.accept(descriptor)
      }
      let listener = Listener(descriptor: listening, accept: accept) { descriptor, _, _ in
        Socket.close(descriptor)
        journal.write("accepted at \(Tick.now().milliseconds)")
      }
      try listener.start(on: loop)
      return Held(listener)
    }
    let client = try Client.connect(to: address)
    _ = await journal.lines(1)
    let pauses = await loop.run { _ in listener.value.isPaused }
    expect(pauses || journal.lines.count > 1, "it rests")
    let lines = await journal.lines(3)
    expectEqual(lines.map { $0.prefix(7) }, ["refused", "refused", "accepte"], "two attempts failed")
    let times = lines.compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }
    for (earlier, later) in zip(times, times.dropFirst()) { expect(later >= earlier + 99, "it does not spin: \(times)") }
    let rests = await loop.run { _ in listener.value.isPaused }
    expect(!rests, "it accepts again")
    Socket.close(client)

    attempts.withLock { $0 = 0 }
    let other = try Client.connect(to: address)
    _ = await journal.lines(4)
    await loop.run { listener.value.close(on: $0) }
    let closed = await loop.run { _ in listener.value.isPaused }
    expect(!closed, "closed while it rested")
    // The kernel resets who waited in its queue; one whose handshake was still under way sees an end.
    let seen = Client.receive(other).result
    expect(seen == .failed(SocketError(.receive, code: ECONNRESET)) || seen == .endOfStream, "who waited is let go: \(seen)")
    Socket.close(other)
    await loop.stop()
  }

  @Test func `a listener that closes itself accepts no more, and a batch is bounded`() async throws {
    let loop = try EventLoop(index: 0)
    await loop.start()
    let journal = Journal()
    let listening = try Socket.listen(on: .ipv4(IPv4Address(127, 0, 0, 1), port: 0))
    let address = try #require(Socket.localAddress(listening))
    let clients = try (0..<100).map { _ in try Client.connect(to: address) }
    try await loop.run { loop in
      let target = ClosingTarget(journal)
      let listener = Listener(descriptor: listening, target: target)
      target.listener = listener
      try listener.start(on: loop)
    }
    expectEqual(await journal.lines(3), ["flush after 64", "closed", "flush after 80"], "two batches")
    for client in clients { Socket.close(client) }
    await loop.stop()
  }
}

/// Counts connections, asks for a flush in each batch, and closes its listener after 80.
private final class ClosingTarget: AcceptTarget, SocketHandler {
  private let journal: Journal
  private var count = 0
  var listener: Listener?

  init(_ journal: Journal) { self.journal = journal }

  func accepted(_ descriptor: CInt, from peer: SocketAddress, on loop: isolated EventLoop) {
    count += 1
    if count == 1 || count == 65 { loop.wantsFlush(self) }
    Socket.close(descriptor)
    guard count == 80 else { return }
    listener?.close(on: loop)
    listener = nil
    journal.write("closed")
  }

  func ready(_ events: Readiness, on loop: isolated EventLoop) {}

  func flush(on loop: isolated EventLoop) { journal.write("flush after \(count)") }
}
