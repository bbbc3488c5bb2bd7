import TestSupport
import Testing

@testable import Configuration

@Test func `addresses and networks are told from other texts`() {
  let networks = [
    "0.0.0.0", "255.255.255.255", "10.0.0.0/8", "10.0.0.0/0", "10.0.0.1/32", "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8", "fe80::1/64", "::/0", "::1/128", "::ffff:10.0.0.1", "1:2:3:4:5:6:1.2.3.4", "ABCD::ef",
  ]
  for text in networks { expect(AddressText.isNetwork(text), text) }
  let others = [
    "", "/", "/8", "10.0.0", "10.0.0.0.0", "10.0.0.256", "10.0.0.01", "10.0.0.", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.-1",
    "10.0.0.+1", "::/129", "::1/", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "12345::", "g::",
    "+1::",
    "-1::", "1:", ":1", "1.2.3.4::", "fe80::1%eth0", "localhost", "1:2:3:4:5:6:7:1.2.3.4",
  ]
  for text in others { expect(!AddressText.isNetwork(text), text) }
}
