import TestSupport
import Testing
import Transport

@Suite struct IPAddressTests {
  @Test func `addresses are read, written and classified`() {
    let v4: [(String, UInt32?, Bool)] = [
      ("127.0.0.1", 0x7F00_0001, true), ("127.255.3.4", 0x7FFF_0304, true), ("126.255.255.255", 0x7EFF_FFFF, false),
      ("0.0.0.0", 0, false), ("255.255.255.255", .max, false), ("192.168.1.20", 0xC0A8_0114, false),
      ("256.0.0.1", nil, false), ("1.2.3", nil, false), ("1.2.3.4.5", nil, false), ("", nil, false), ("a.b.c.d", nil, false),
      ("127.0.0.1\0.example", nil, false), ("127.0.0.01", nil, false),
    ]
    for (text, bits, isLoopback) in v4 {
      let address = IPv4Address(text)
      expectEqual(address?.bits, bits, text)
      guard let address else { continue }
      expectEqual(address.description, text, text)
      expectEqual(address.isLoopback, isLoopback, text)
    }
    expectEqual(IPv4Address(10, 1, 2, 3).description, "10.1.2.3", "from bytes")

    let v6: [(String, UInt64, UInt64, String)] = [
      ("::1", 0, 1, "::1"), ("::", 0, 0, "::"), ("2001:db8:0:0::5", 0x2001_0db8_0000_0000, 5, "2001:db8::5"),
      ("FE80::A", 0xfe80_0000_0000_0000, 10, "fe80::a"), ("::ffff:1.2.3.4", 0, 0xFFFF_0102_0304, "::ffff:1.2.3.4"),
    ]
    for (text, high, low, written) in v6 {
      let address = IPv6Address(text)
      expectEqual(address, IPv6Address(high: high, low: low), text)
      expectEqual(address?.description, written, text)
      expectEqual(address?.isLoopback, text == "::1", text)
      expectEqual(address?.mapped, low >> 32 == 0xFFFF ? IPv4Address(1, 2, 3, 4) : nil, text)
    }
    expectEqual(IPv6Address(high: 0, low: 0).mapped, nil, "not mapped")
    for text in ["", ":", "1::2::3", "g::", "127.0.0.1", "[::1]", "::1%1", "::1\0x"] { expectEqual(IPv6Address(text), nil, text) }
  }
}
