import HTTPProtocol
import TestSupport
import Testing

@Test func `addresses are read in every right form and in no other`() {
  let rows: [(String, ForwardedAddress?)] = [
    ("0.0.0.0", .ipv4(0)), ("192.0.2.1", .ipv4(0xC000_0201)), ("255.255.255.255", .ipv4(.max)),
    ("::", .ipv6(high: 0, low: 0)), ("::1", .ipv6(high: 0, low: 1)), ("1::", .ipv6(high: 1 << 48, low: 0)),
    ("2001:DB8::1", .ipv6(high: 0x2001_0DB8_0000_0000, low: 1)),
    ("1:2:3:4:5:6:7:8", .ipv6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_0007_0008)),
    ("1::3:4:5:6:7:8", .ipv6(high: 0x0001_0000_0003_0004, low: 0x0005_0006_0007_0008)),
    ("1:2:3:4:5:6:7::", .ipv6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_0007_0000)),
    ("::2:3:4:5:6:7:8", .ipv6(high: 0x0000_0002_0003_0004, low: 0x0005_0006_0007_0008)),
    ("64:ff9b::192.0.2.1", .ipv6(high: 0x0064_FF9B_0000_0000, low: 0xC000_0201)),
    ("1:2:3:4:5:6:192.0.2.1", .ipv6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_C000_0201)),
    ("::ffff:192.0.2.1", .ipv4(0xC000_0201)), ("::FFFF:C000:201", .ipv4(0xC000_0201)), ("0:0:0:0:0:ffff:0:1", .ipv4(1)),
    ("::fffe:192.0.2.1", .ipv6(high: 0, low: 0xFFFE_C000_0201)),
    ("abcd:ef01:2345:6789:abcd:ef01:2345:6789", .ipv6(high: 0xABCD_EF01_2345_6789, low: 0xABCD_EF01_2345_6789)),
    ("", nil), ("1.2.3", nil), ("1.2.3.4.5", nil), ("1.2.3.256", nil), ("01.2.3.4", nil), ("1.2.3.", nil), ("1.2.3.4 ", nil),
    ("1.2.3.-4", nil), ("1.2.3.+4", nil), ("0x1.2.3.4", nil), ("1.2.3.4:80", nil), ("1", nil), ("1.2.3.99999999999999999999", nil),
    (":", nil), (":::", nil), (":1", nil), ("1:", nil), ("1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:", nil), ("1:2:3:4:5:6:7:8:9", nil),
    ("1:2:3:4::5:6:7:8", nil), ("1::2::3", nil), ("12345::", nil), ("::g", nil), ("::1%eth0", nil), ("[::1]", nil), ("::1.2.3.4:5", nil),
    ("1:2:3:4:5:6:7:1.2.3.4", nil), ("::1.2.3", nil), ("1.2.3.4::", nil), ("1:::2", nil), ("::-1", nil),
    (String(repeating: "0", count: 46), nil), (String(repeating: ":", count: 100_000), nil),
  ]
  for (text, expected) in rows { expectEqual(ForwardedAddress(text.utf8), expected, String(text.prefix(60))) }
}
