import Glibc
import TestSupport
import Testing

@testable import Transport

@Suite struct RawSocketAddressTests {
  @Test func `addresses survive the C library's form`() throws {
    let cases: [SocketAddress] = [
      .ipv4(IPv4Address(127, 0, 0, 1), port: 0x1234), .ipv4(IPv4Address(bits: 0), port: 0), .ipv4(IPv4Address(bits: .max), port: .max),
      .ipv6(IPv6Address(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10), port: 0x1234, scope: 5),
      .unix("/x"), .unix(""), .unix(String(repeating: "p", count: 107)),
    ]
    for address in cases { expectEqual(SocketAddress(try RawSocketAddress(address).storage), address, "\(address)") }

    let mapped = try RawSocketAddress(.ipv6(IPv6Address(high: 0, low: 0xFFFF_0A00_0001), port: 7, scope: 0))
    expectEqual(SocketAddress(mapped.storage), .ipv4(IPv4Address(10, 0, 0, 1), port: 7), "IPv4-mapped")
    expectEqual(SocketAddress(sockaddr_storage()), nil, "no family")
    do throws(SocketError) {
      _ = try RawSocketAddress(.unix(String(repeating: "p", count: 108)))
      expect(false, "a path that is too long")
    } catch { expectEqual(error.code, ENAMETOOLONG, "a path that is too long") }

    let v4 = try RawSocketAddress(cases[0])
    expectEqual(v4.family, AF_INET, "family")
    v4.read { address, length in
      expectEqual(length, socklen_t(MemoryLayout<sockaddr_in>.size), "length")
      expectEqual(CInt(address.pointee.sa_family), AF_INET, "family as the kernel reads it")
    }
  }
}
