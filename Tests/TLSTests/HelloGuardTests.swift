import TestSupport
import Testing

@testable import TLS

/// A record of a handshake with a message that announces a length and has as many bytes as are given.
private func record(_ type: UInt8 = 22, message: UInt8 = 1, length: Int, bytes: Int) -> [UInt8] {
  let content = [message, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + [UInt8](repeating: 1, count: bytes)
  return [type, 3, 1, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
}

/// How many bytes are passed, in pieces of a size; the version is decided after so many bytes.
private func passed(_ bytes: [UInt8], piece: Int, version: TLSVersion? = nil, after: Int = 0) -> (count: Int, isRefused: Bool) {
  var hello = HelloGuard()
  var count = 0
  while count < bytes.count {
    let next = Array(bytes[count...].prefix(piece))
    switch next.withUnsafeBytes({ hello.look(at: $0, version: count >= after ? version : nil) }) {
    case .pass(let taken) where taken > 0: count += taken
    case .pass: return (count, false)
    case .refuse: return (count, true)
    }
  }
  return (count, false)
}

@Test func `a hello that announces too much is refused before its header is passed on, however it comes`() {
  let good = record(length: 300, bytes: 300)
  let most = HelloGuard.maxMessageBytes
  let huge = record(length: most + 1, bytes: 3)
  let ccs: [UInt8] = [20, 3, 3, 0, 1, 1]
  let cases: [(String, [UInt8], TLSVersion?, isRefused: Bool)] = [
    ("a good one", good, nil, false), ("as long as may be", record(length: most, bytes: 3), nil, false), ("too long", huge, nil, true),
    ("of 16 MiB", record(length: 0xFF_FFFF, bytes: 0), nil, true),
    ("another message", record(message: 16, length: most + 1, bytes: 3), nil, false),
    ("a second one after a retry", good + ccs + huge, .v13, true), ("a good second one", good + ccs + good, .v13, false),
    ("two in one record", [22, 3, 1, 0, 16, 1, 0, 0, 4, 1, 2, 3, 4, 1, 0, 0xFF, 0xFF, 0, 0, 0, 0], nil, true),
    ("encrypted, in TLS 1.2", good + ccs + huge, .v12, false),
    ("encrypted, in TLS 1.3", good + ccs + record(23, length: most + 1, bytes: 9), .v13, false),
    ("in several records", record(length: 300, bytes: 100) + [22, 3, 1, 0, 200] + [UInt8](repeating: 1, count: 200) + good, .v13, false),
    ("a header in two records", [22, 3, 1, 0, 2, 1, 0, 22, 3, 1, 0, 2, 0xFF, 0xFF], nil, true),
    ("a record of nothing", [22, 3, 1, 0, 0] + huge, nil, true), ("an alert", [21, 3, 1, 0, 2, 1, 0] + huge, nil, true),
  ]
  for (name, bytes, version, isRefused) in cases {
    for piece in [1, 2, 5, 7, bytes.count] {
      let (count, refused) = passed(bytes, piece: piece, version: version, after: good.count)
      expectEqual(refused, isRefused, "\(name), in pieces of \(piece)")
      expect(refused ? count < bytes.count : count == bytes.count, "\(name), in pieces of \(piece): \(count) of \(bytes.count)")
    }
  }
}

@Test func `a session refuses a huge hello without an answer's delay, and OpenSSL never sees its header`() throws {
  let server = try TLSContext.server()
  for size in [1, 4, 100] {
    var end = TLSPair.End(session: try #require(TLSSession(server)))
    let bytes = record(length: 131_000, bytes: 20)
    for start in stride(from: 0, to: bytes.count, by: size) { end.receive(Array(bytes[start...].prefix(size))) }
    expectEqual(end.state, .failed(.hugeHello), "in pieces of \(size)")
    expectEqual(end.session.isEstablished, false)
  }
}
