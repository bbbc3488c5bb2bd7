import Glibc
import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct EventLoopTests {
  @Test func `bytes come back over every kind of socket, more than the kernel takes at once`() async throws {
    let path = Client.path("echo")
    var addresses: [SocketAddress] = [.ipv4(IPv4Address(127, 0, 0, 1), port: 0), .unix(path)]
    let loopback6 = SocketAddress.ipv6(IPv6Address(high: 0, low: 1), port: 0, scope: 0)
    do throws(SocketError) {
      Socket.close(try Socket.listen(on: loopback6))
      addresses.append(loopback6)
    } catch {
      expect(error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL, "a host without ::1 says so: \(error)")
    }
    let loop = try EventLoop(index: 3)
    expectEqual(loop.index, 3, "index")
    await loop.start()
    let message = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    for address in addresses {
      let listening = try Socket.listen(on: address)
      let local = try #require(Socket.localAddress(listening))
      let peers = Journal()
      let listener = try await loop.run { loop in
        let listener = Listener(descriptor: listening) { descriptor, peer, loop in
          peers.write(peer.port == nil ? "\(peer)" : "\(peer.isLoopback)")
          do { try loop.register(descriptor, for: .read, EchoHandler(descriptor)) } catch { Socket.close(descriptor) }
        }
        try listener.start(on: loop)
        return Held(listener)
      }
      let client = try Client.connect(to: local)
      let answer = exchange(message, over: client)
      expect(answer == message, "\(address): \(answer.count) bytes came back")
      Socket.shutdownWriting(client)
      expectEqual(Client.receive(client).result, .endOfStream, "\(address): the end comes back too")
      Socket.close(client)
      expectEqual(await peers.lines(1), [local.port == nil ? "unix:" : "true"], "\(address): the peer's address")
      await loop.run { listener.value.close(on: $0) }
      await loop.run { listener.value.close(on: $0) }
    }
    unlink(path)
    await loop.stop()
  }

  @Test func `an event of an earlier life of a descriptor reaches nobody`() async throws {
    let loop = try EventLoop(index: 0)
    await loop.start()
    let journal = Journal()
    let pairs = [Client.pair(), Client.pair()]
    let (ends, peers) = (pairs.map { $0.0 }, pairs.map { $0.1 })
    let (stranger, strangerPeer) = Client.pair()
    try await loop.run { loop in
      for (place, end) in ends.enumerated() {
        let handler = ClosureHandler()
        handler.onReady = { handler, _, loop in
          // Whoever comes first removes both, and gives the other's number to a socket on which nothing has arrived.
          let other = ends[1 - place]
          loop.remove(end)
          loop.remove(other)
          dup2(stranger, other)
          let late = ClosureHandler()
          late.onReady = { _, events, loop in
            journal.write("late \(events.contains(.readable)) \(Client.receive(other).text)")
            loop.remove(other)
          }
          do { try loop.register(other, for: .read, late) } catch { journal.write("\(error)") }
          handler.onFlush = { _, _ in journal.write("flushed after removal") }
          loop.wantsFlush(handler)
        }
        try loop.register(end, for: .read, handler)
      }
      // Both in one batch: the loop is busy with this body.
      for peer in peers { Client.send("x", to: peer) }
    }
    expectEqual(await journal.lines(1), ["flushed after removal"], "one handler ran, no other")
    await loop.run { _ in }
    expectEqual(journal.lines, ["flushed after removal"], "the event of the old socket was dropped")
    Client.send("hello", to: strangerPeer)
    expectEqual(await journal.lines(2), ["flushed after removal", "late true hello"], "the new socket's own event arrives")
    await loop.stop()
    for descriptor in ends + peers + [stranger, strangerPeer] { Socket.close(descriptor) }
  }

  @Test func `registering, changing and removing are checked`() async throws {
    let loop = try EventLoop(index: 0)
    await loop.start()
    let (end, peer) = Client.pair()
    let journal = Journal()
    let codes = await loop.run { loop in
      let handler = ClosureHandler()
      handler.onReady = { _, events, loop in
        journal.write("writable \(events.contains(.writable)), closed \(events.contains(.peerClosed)), hangup \(events.contains(.hangup))")
        loop.change(end, to: [])
      }
      let code = { (descriptor: CInt, loop: isolated EventLoop) -> CInt in
        do throws(SocketError) { try loop.register(descriptor, for: .write, handler) } catch { return error.code }
        return 0
      }
      loop.change(end, to: .read)
      loop.remove(end)
      return [code(end, loop), code(end, loop), code(-1, loop), code(1_000_000, loop), code(1_000_000, loop)]
    }
    expectEqual(codes, [0, EEXIST, EBADF, EBADF, EBADF], "error codes")
    expectEqual(await journal.lines(1), ["writable true, closed false, hangup false"], "interest in writing")
    await loop.run { $0.change(end, to: .peerClose) }
    Socket.shutdownWriting(peer)
    expectEqual(await journal.lines(2).last, "writable false, closed true, hangup false", "the peer stopped sending")
    Socket.close(peer)
    expectEqual(await journal.lines(3).last, "writable false, closed false, hangup true", "a hangup comes unasked")
    await loop.run { $0.remove(end) }
    await loop.stop()
    await loop.stop()
    let late = await loop.run { loop in
      do throws(SocketError) { try loop.register(end, for: .read, ClosureHandler()) } catch { return error.code }
      return 0
    }
    expectEqual(late, EBADF, "a stopped loop takes nobody")
    loop.wake()
    Socket.close(end)
  }

  @Test func `flushes come at the end of a turn, and outside of one`() async throws {
    let loop = try EventLoop(index: 0)
    await loop.start()
    let journal = Journal()
    let handler = await loop.run { loop in
      let handler = ClosureHandler()
      var count = 0
      handler.onFlush = { handler, loop in
        count += 1
        journal.write("flush \(count)")
        // More than the passes of one turn: the loop goes on in the next.
        if count < 10 { loop.wantsFlush(handler) }
      }
      loop.wantsFlush(handler)
      journal.write("body")
      return Held(handler)
    }
    let expected = ["body"] + (1...10).map { "flush \($0)" }
    expectEqual(await journal.lines(11), expected, "again and again")
    await ask(loop, toFlush: handler)
    expectEqual(await journal.lines(12).last, "flush 11", "asked by actor-isolated code outside of a turn")
    loop.execute { loop in
      handler.value.onFlush = { _, _ in journal.write("executed") }
      loop.wantsFlush(handler.value)
    }
    expectEqual(await journal.lines(13).last, "executed", "asked by an executed body")
    await loop.run { _ in handler.value.onFlush = { _, _ in } }
    await loop.stop()
  }

  private func ask(_ loop: isolated EventLoop, toFlush handler: Held<ClosureHandler>) {
    loop.wantsFlush(handler.value)
  }

  @Test func `timers fire in order, not early, and not when cancelled`() async throws {
    let loop = try EventLoop(index: 0)
    let journal = Journal()
    let unfired = await loop.run { loop in
      let target = ClosureHandler()
      let start = loop.now
      target.onTimer = { target, tag, loop in
        expect(loop.now >= start + UInt64(tag), "\(tag) is not early")
        journal.write("\(tag)")
        if tag == 40, let id = target.timers[41] { loop.cancel(id) }
        if tag == 60 { _ = loop.schedule(target, tag: 0, at: loop.now) }
        loop.wantsFlush(target)
      }
      target.onFlush = { _, _ in journal.write("flush") }
      for tag in [60, 41, 20, 1, 40, 21] { target.timers[tag] = loop.schedule(target, tag: tag, at: start + UInt64(tag)) }
      // Its unit is 40's, which fires first and cancels it.
      if let id = target.timers[41] { loop.cancel(id) }
      target.timers[41] = loop.schedule(target, tag: 41, at: start + 40)
      if let id = target.timers[21] { loop.cancel(id) }
      _ = loop.schedule(target, tag: 1_000_000, at: start + 1_000_000)
      return Held(target)
    }
    await loop.start()
    var fired: [String] = []
    var count = 2
    while fired.last != "0" {
      fired = await journal.lines(count).filter { $0 != "flush" }
      count = journal.lines.count + 1
    }
    expectEqual(fired, ["1", "20", "40", "60", "0"], "order")
    await loop.stop()
    await loop.run { _ in unfired.value.onTimer = { _, _, _ in } }
  }

  @Test func `a loop that nobody holds goes away with its descriptors`() async throws {
    weak var unstarted: EventLoop?
    weak var stopped: EventLoop?
    do {
      let loop = try EventLoop(index: 0)
      unstarted = loop
      let other = try EventLoop(index: 1)
      stopped = other
      await other.start()
      await other.start()
      await other.stop()
      await other.start()
    }
    expect(unstarted == nil, "never started")
    // The dispatch source lets go of the loop on its own queue.
    for _ in 0..<100_000 where stopped != nil { await Task.yield() }
    expect(stopped == nil, "stopped")
  }

  /// Sends all and receives as much, both at once.
  private func exchange(_ message: [UInt8], over descriptor: CInt) -> [UInt8] {
    var answer: [UInt8] = []
    var sent = 0
    var buffer = [UInt8](repeating: 0, count: 65536)
    while answer.count < message.count {
      let events = Client.wait(descriptor, for: sent < message.count ? POLLIN | POLLOUT : POLLIN)
      guard events != 0 else { return answer }
      if sent < message.count, events & POLLOUT != 0 {
        let result = message.withUnsafeBytes { Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if case .bytes(let count) = result { sent += count }
      }
      switch buffer.withUnsafeMutableBytes({ Socket.receive(descriptor, into: $0) }) {
      case .bytes(let count): answer += buffer[..<count]
      case .wouldBlock: continue
      case .endOfStream, .failed: return answer
      }
    }
    return answer
  }
}

/// Carries what lives on a loop through a test, which touches it only in `loop.run`.
// `@unchecked Sendable` holds: the tests read `value` only inside bodies that run on the one loop that made it.
struct Held<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Sends back what it receives, and reads nothing while a write is blocked.
private final class EchoHandler: SocketHandler {
  private let descriptor: CInt
  private var unsent: [UInt8] = []
  private var isDirty = false

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  func ready(_ events: Readiness, on loop: isolated EventLoop) {
    if events.contains(.writable) {
      flush(on: loop)
      return
    }
    switch Socket.receive(descriptor, into: loop.readBuffer) {
    case .bytes(let count):
      unsent += loop.readBuffer[..<count]
      if !isDirty { loop.wantsFlush(self) }
      isDirty = true
    case .wouldBlock: return
    case .endOfStream, .failed:
      loop.remove(descriptor)
      Socket.close(descriptor)
    }
  }

  func flush(on loop: isolated EventLoop) {
    isDirty = false
    if case .bytes(let count) = unsent.withUnsafeBytes({ Socket.send(descriptor, $0) }) { unsent.removeFirst(count) }
    loop.change(descriptor, to: unsent.isEmpty ? .read : .write)
  }
}
