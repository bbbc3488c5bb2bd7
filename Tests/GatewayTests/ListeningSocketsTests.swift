import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct ListeningSocketsTests {
  @Test func `every loop has a socket of each address, and a taken address is named`() throws {
    let any = SocketAddress.ipv4(IPv4Address(127, 0, 0, 1), port: 0)
    let sockets = try ListeningSockets([any, any], loops: 2)
    expectEqual(sockets.byLoop.map(\.count), [2, 2], "by loop")
    expectEqual(sockets.addresses.count, 2, "addresses")
    expect(sockets.addresses.allSatisfy { ($0.port ?? 0) > 0 }, "with the ports of the system")
    do {
      let second = try ListeningSockets([any, sockets.addresses[0]], loops: 1)
      expect(false, "listened on twice: \(second.addresses)")
    } catch {
      expectEqual(error.address, sockets.addresses[0], "which")
      expect("\(error)".contains("in use") && "\(error)".contains("--listen"), "\(error)")
    }
    do {
      _ = try ListeningSockets([.unix("/nowhere/at/all.sock")], loops: 1)
      expect(false, "a folder that is not there")
    } catch { expect("\(error)".contains("Cannot listen on unix:/nowhere/at/all.sock"), "\(error)") }
    for descriptor in sockets.byLoop.joined() { Socket.close(descriptor) }
  }
}
