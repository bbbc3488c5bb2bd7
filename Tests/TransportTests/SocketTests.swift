import Glibc
import TestSupport
import Testing
import Transport

@Suite struct SocketTests {
  @Test func `bytes, ends and errors are told apart`() throws {
    let (one, two) = Client.pair()
    var buffer = [UInt8](repeating: 0, count: 100)
    func receive(_ descriptor: CInt, _ count: Int = 100) -> IOResult {
      buffer.withUnsafeMutableBytes { Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count])) }
    }
    func send(_ descriptor: CInt, _ text: String) -> IOResult { Array(text.utf8).withUnsafeBytes { Socket.send(descriptor, $0) } }

    expectEqual(receive(one), .wouldBlock, "nothing there")
    expectEqual(send(two, "hello"), .bytes(5), "sent")
    expectEqual(receive(one, 0), .bytes(0), "no room is no end")
    expectEqual(receive(one, 2), .bytes(2), "a part")
    expectEqual(receive(one), .bytes(3), "the rest")
    expectEqual(send(two, ""), .bytes(0), "nothing sent")
    Socket.shutdownWriting(two)
    expectEqual(receive(one), .endOfStream, "end")
    expectEqual(send(one, "back"), .bytes(4), "the other direction is open")
    expectEqual(receive(two), .bytes(4), "and arrives")
    Socket.close(two)
    expectEqual(send(one, "x"), .failed(SocketError(.send, code: EPIPE)), "nobody reads, and no signal")
    var filled = 0
    let (three, four) = Client.pair()
    while case .bytes(let count) = send(three, String(repeating: "x", count: 10_000)) { filled += count }
    expect(filled > 0, "filled")
    expectEqual(send(three, "x"), .wouldBlock, "full")
    expectEqual(receive(-1), .failed(SocketError(.receive, code: EBADF)), "no descriptor")
    for descriptor in [one, three, four] { Socket.close(descriptor) }
  }

  @Test func `several ranges are sent with one call`() {
    let (one, two) = Client.pair()
    var pieces = (0..<1500).map { UInt8(truncatingIfNeeded: $0) }
    let sent = pieces.withUnsafeMutableBytes { bytes in
      let vectors = (0..<bytes.count).map { iovec(iov_base: bytes.baseAddress?.advanced(by: $0), iov_len: 1) }
      return vectors.withUnsafeBufferPointer { Socket.send(one, vectors: $0) }
    }
    expectEqual(sent, .bytes(Socket.maximumVectors), "as many ranges as the kernel takes")
    var received = [UInt8](repeating: 0, count: 2000)
    expectEqual(received.withUnsafeMutableBytes { Socket.receive(two, into: $0) }, .bytes(1024), "received")
    expect(received[..<1024] == pieces[..<1024], "in order")
    Socket.close(two)
    let broken = [iovec(iov_base: nil, iov_len: 0)].withUnsafeBufferPointer { Socket.send(one, vectors: $0) }
    expectEqual(broken, .failed(SocketError(.send, code: EPIPE)), "nobody reads")
    Socket.close(one)
  }

  @Test func `connections are accepted, refused, closed and reset`() throws {
    let listening = try Socket.listen(on: .ipv4(IPv4Address(127, 0, 0, 1), port: 0))
    let address = try #require(Socket.localAddress(listening))
    expect(try Socket.accept(listening) == nil, "nobody waits")
    let client = try Client.connect(to: address)
    Client.wait(listening, for: POLLIN)
    let (server, peer) = try #require(try Socket.accept(listening))
    expectEqual(peer, Socket.localAddress(client), "the peer's address")
    expect(fcntl(server, F_GETFL, 0) & O_NONBLOCK != 0, "nonblocking")
    expect(fcntl(server, F_GETFD, 0) & FD_CLOEXEC != 0, "closed on exec")
    for (name, descriptor) in [("accepted", server), ("connected", client)] {
      var value: CInt = 0
      var length = socklen_t(MemoryLayout<CInt>.size)
      getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &value, &length)
      expect(value != 0, "TCP_NODELAY on the \(name) socket")
    }
    Socket.abort(server)
    expectEqual(Client.receive(client).result, .failed(SocketError(.receive, code: ECONNRESET)), "a reset")
    Socket.close(client)
    Socket.close(listening)
    do {
      Socket.close(try Client.connect(to: address))
      expect(false, "refused")
    } catch { expectEqual(error as? SocketError, SocketError(.connect, code: ECONNREFUSED), "refused") }

    func code(_ body: () throws(SocketError) -> Void) -> CInt {
      do { try body() } catch { return error.code }
      return 0
    }
    expectEqual(code { () throws(SocketError) in _ = try Socket.accept(-1) }, EBADF, "accepting on no descriptor")
    expectEqual(code { () throws(SocketError) in _ = try Socket.connect(to: .unix(Client.path("nobody"))) }, ENOENT, "no such path")
    expectEqual(Socket.pendingError(-1)?.code, EBADF, "the error of no descriptor")
    expectEqual(Socket.localAddress(-1), nil, "the address of no descriptor")
  }
}
