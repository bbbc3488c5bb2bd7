import Glibc
import TestSupport
import Testing
import Transport

@Suite struct SocketListeningTests {
  private func failure(_ body: () throws(SocketError) -> CInt) -> SocketError? {
    do throws(SocketError) { Socket.close(try body()) } catch { return error }
    return nil
  }

  @Test func `an address is listened on once, and shared by those who are told`() throws {
    for wanted in ["127.0.0.1:0", "[::1]:0"] {
      let asked = try SocketAddress.parse(wanted)
      let first: CInt
      do throws(SocketError) { first = try Socket.listen(on: asked, reusePort: true) } catch {
        expect(wanted.hasPrefix("[") && (error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL), "\(wanted): \(error)")
        continue
      }
      let address = try #require(Socket.localAddress(first))
      expect(address.port != 0, "\(wanted): a port was given")
      for reuse in [true, false] {
        let error = failure { () throws(SocketError) in try Socket.listen(on: address, reusePort: reuse) }
        expectEqual(error?.isAddressInUse, true, "\(wanted): a second gateway, reusePort \(reuse)")
      }
      let second = try Socket.share(first)
      expectEqual(Socket.localAddress(second), address, "\(wanted): shared")
      let third = failure { () throws(SocketError) in try Socket.listen(on: address, reusePort: true) }
      expectEqual(third?.isAddressInUse, true, "\(wanted): still one gateway")

      // By the hash of the ports: that one of the two gets none of 64 happens once in 2^63 runs.
      let clients = try (0..<64).map { _ in try Client.connect(to: address) }
      var counts = [0, 0]
      for (place, listening) in [first, second].enumerated() {
        while let (descriptor, _) = try Socket.accept(listening) {
          counts[place] += 1
          Socket.close(descriptor)
        }
      }
      expectEqual(counts[0] + counts[1], 64, "\(wanted): all accepted")
      expect(!counts.contains(0), "\(wanted): spread over both")
      for descriptor in clients + [first, second] { Socket.close(descriptor) }
      let again = failure { () throws(SocketError) in try Socket.listen(on: address) }
      expectEqual(again, nil, "\(wanted): free again, with connections in TIME_WAIT")
    }
    let alone = try Socket.listen(on: .ipv4(IPv4Address(127, 0, 0, 1), port: 0))
    expectEqual(failure { () throws(SocketError) in try Socket.share(alone) }?.isAddressInUse, true, "not shared without reusePort")
    Socket.close(alone)
    expectEqual(failure { () throws(SocketError) in try Socket.share(-1) }?.code, ENOTSOCK, "no socket")
    let foreign = SocketAddress.ipv4(IPv4Address(192, 0, 2, 1), port: 0)
    expectEqual(failure { () throws(SocketError) in try Socket.listen(on: foreign) }?.code, EADDRNOTAVAIL, "not this machine's")
  }

  @Test func `a unix socket's file is removed when nobody listens on it`() throws {
    let path = Client.path("listen")
    let first = try Socket.listen(on: .unix(path), reusePort: true)
    let inUse = failure { () throws(SocketError) in try Socket.listen(on: .unix(path), reusePort: true) }
    expectEqual(inUse?.isAddressInUse, true, "somebody listens")
    let shared = try Socket.share(first)
    // The attempt above left a connection that is closed by now.
    while let (descriptor, _) = try Socket.accept(first) { Socket.close(descriptor) }
    let client = try Client.connect(to: .unix(path))
    let (server, peer) = try #require(try Socket.accept(shared))
    expectEqual(peer, .unix(""), "a client without a name")
    for descriptor in [client, server, first, shared] { Socket.close(descriptor) }
    expectEqual(access(path, F_OK), 0, "the file stays")
    expectEqual(failure { () throws(SocketError) in try Socket.listen(on: .unix(path)) }, nil, "a stale file")
    unlink(path)

    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    Socket.close(file)
    let other = failure { () throws(SocketError) in try Socket.listen(on: .unix(path)) }
    expectEqual(other?.code, ENOTSOCK, "another kind of file is left alone")
    expectEqual(access(path, F_OK), 0, "and still there")
    unlink(path)
    let long = SocketAddress.unix(String(repeating: "p", count: 200))
    expectEqual(failure { () throws(SocketError) in try Socket.listen(on: long) }?.code, ENAMETOOLONG, "a path that is too long")
  }
}
