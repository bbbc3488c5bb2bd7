import TestSupport
import Testing

@testable import TLS

@Test func `a name is found in a list of protocols, and nowhere in what is no list`() {
  let name = Array("http/1.1".utf8)
  let cases: [([UInt8], Range<Int>?)] = [
    ([], nil), (ProtocolList.bytes(of: ["http/1.1"]), 1..<9), (ProtocolList.bytes(of: ["h2", "http/1.1", "x"]), 4..<12),
    (ProtocolList.bytes(of: ["h2"]), nil), ([9] + name, nil), ([7] + name, nil), ([0, 0, 0], nil), ([255], nil),
    ([2, 0x68, 0x32, 8] + name.dropLast(), nil),
  ]
  for (list, range) in cases {
    expectEqual(list.withUnsafeBufferPointer { ProtocolList.range(of: name, in: $0) }, range, "\(list)")
  }
  expectEqual(ProtocolList.bytes(of: ["", "a", String(repeating: "x", count: 256)]), [1, 0x61], "names that cannot be said")
}
