import COpenSSL
import TestSupport
import Testing

@testable import TLS

@Test func `both versions carry bytes both ways, whole, byte by byte and through a narrow output`() throws {
  let server = try TLSContext.server()
  let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  for version in TLSVersion.allCases {
    let client = try TLSContext.client(trusting: .anybody, newest: version)
    for (piece, room) in [(Int.max, 65_536), (1, 65_536), (7, 64), (1_000, 1)] {
      let name = "\(version), pieces of \(piece), room for \(room)"
      var pair = try TLSPair(client, server)
      pair.server.room = room
      pair.client.room = room
      pair.carry(piece: piece)
      for end in [pair.client, pair.server] {
        expectEqual(end.session.isEstablished, true, name)
        expectEqual(end.session.version, version, name)
        expectEqual(end.session.applicationProtocol, "http/1.1", name)
        expectEqual(end.session.isResumed, false, name)
      }
      expectEqual(pair.client.session.peerSerial, "07", name)
      let text = piece == 1 ? Array(long.prefix(3_000)) : long
      pair.client.send(text)
      pair.server.send(Array("hello".utf8))
      pair.carry(piece: piece)
      expect(pair.server.plaintext == text, "\(name): to the server")
      expectEqual(pair.client.plaintext, Array("hello".utf8), "\(name): to the client")
      pair.client.close()
      pair.server.send(Array("still".utf8))
      pair.carry(piece: piece)
      expectEqual(pair.server.state, .ended, "\(name): the server hears the end")
      expectEqual(pair.client.plaintext, Array("hellostill".utf8), "\(name): who has closed still receives")
      pair.server.close()
      pair.server.close()
      pair.carry(piece: piece)
      expectEqual(pair.client.state, .ended, "\(name): the client hears the end, once")
    }
  }
}

@Test func `a client trusts whom it is told to, by certificate and by name`() throws {
  let certificate = try TestCertificate(serial: 1)
  let server = try TLSContext(serving: TLSCredentials(certificate), tickets: TicketKeys(now: 0))
  let cases: [(TestTrust, String?, Bool)] = try [
    (.anybody, nil, true), (.anybody, "other.example", true), (.authorities(certificate.pem), nil, true),
    (.authorities(certificate.pem), "parley.example", true), (.authorities(certificate.pem), "other.example", false),
    (.authorities(TestCertificate(serial: 1).pem), "parley.example", false), (.system, "parley.example", false),
  ]
  for (trust, name, isTrusted) in cases {
    var pair = try TLSPair(TLSContext.client(trusting: trust), server, serverName: name)
    pair.carry()
    expectEqual(pair.client.session.isEstablished, isTrusted, "\(trust), \(name ?? "-")")
    guard !isTrusted else { continue }
    if case .failed(.peerAlert) = pair.server.state { continue }
    expectEqual(pair.server.state, .needsInput, "\(trust), \(name ?? "-"): the server is told by an alert")
  }
  expectEqual((try? TLSContext.client(trusting: .authorities([1, 2, 3])))?.isServer, nil, "authorities that are none")
}

@Test func `HTTP 1.1 is chosen where it is offered, and nothing else is let in`() throws {
  let server = try TLSContext.server()
  let cases: [([String], Bool, String?)] = [
    ([], true, nil), (["http/1.1"], true, "http/1.1"), (["h2", "http/1.1"], true, "http/1.1"), (["h2"], false, nil),
    (["http/1.10", "spdy/1", "HTTP/1.1"], false, nil),
  ]
  for version in TLSVersion.allCases {
    for (offers, isLetIn, chosen) in cases {
      var pair = try TLSPair(TLSContext.client(trusting: .anybody, protocols: offers, newest: version), server)
      pair.carry()
      expectEqual(pair.server.session.isEstablished, isLetIn, "\(version) \(offers)")
      expectEqual(pair.server.session.applicationProtocol, chosen, "\(version) \(offers)")
      guard !isLetIn else { continue }
      expectEqual(pair.server.state, .failed(.noCommonProtocol), "\(version) \(offers)")
      // no_application_protocol (RFC 7301 §3.2).
      expectEqual(pair.client.state, .failed(.peerAlert(120)), "\(version) \(offers)")
    }
  }
}

@Test func `a client comes back with its ticket, to any context that shares the keys, for as long as they hold`() throws {
  for version in TLSVersion.allCases {
    let client = try TLSContext.client(trusting: .anybody, newest: version)
    let keys = TicketKeys(now: 0)
    let first = try TLSContext.server(serial: 1, tickets: keys)
    let second = try TLSContext.server(serial: 2, tickets: keys)
    let stranger = try TLSContext.server(serial: 3)
    var pair = try TLSPair(client, first)
    pair.carry()
    guard let ticket = pair.client.session.ticket else {
      expect(false, "\(version): no ticket")
      continue
    }
    expectEqual(ticket.isResumable, true, "\(version)")
    func resumes(_ server: TLSContext) throws -> Bool {
      var pair = try TLSPair(client, server, resuming: ticket)
      pair.carry()
      pair.client.send([1, 2, 3])
      pair.carry()
      expectEqual(pair.server.plaintext, [1, 2, 3], "\(version): it works in any case")
      expectEqual(pair.client.session.isResumed, pair.server.session.isResumed, "\(version): both know")
      return pair.server.session.isResumed
    }
    expectEqual(try resumes(first), true, "\(version): the same context")
    expectEqual(try resumes(second), true, "\(version): after a reload")
    expectEqual(try resumes(stranger), false, "\(version): other keys")
    keys.rotate(now: TicketKeys.lifetime)
    expectEqual(try resumes(first), true, "\(version): the previous key")
    keys.rotate(now: 2 * TicketKeys.lifetime)
    expectEqual(try resumes(first), false, "\(version): a key that was given up")
  }
}

@Test func `what is no TLS, or not all of it, fails with an alert or waits, and never traps`() throws {
  let server = try TLSContext.server()
  let client = try TLSContext.client(trusting: .anybody)
  var opening = try TLSPair(client, server)
  opening.client.receive([])
  let hello = opening.client.takeOutput()
  let garbage: [(String, [UInt8])] = [
    ("HTTP", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)), ("zeros", [UInt8](repeating: 0, count: 64)),
    ("a huge record", [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 200)),
    ("a handshake of nothing", [0x16, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF]), ("data first", [0x17, 3, 3, 0, 3, 1, 2, 3]),
    ("an alert first", [0x15, 3, 3, 0, 2, 2, 40]),
    ("SSL 2", [0x80, 0x2E, 1, 3, 1, 0, 0x15, 0, 0, 0, 0x10] + [UInt8](repeating: 7, count: 37)),
    ("TLS 1.0 alone", TLS10.hello),
  ]
  for (name, bytes) in garbage {
    var end = TLSPair.End(session: try #require(TLSSession(server)))
    end.receive(bytes)
    if case .failed = end.state {} else { expectEqual(end.state, .needsInput, "\(name): at most it waits") }
    expectEqual(end.session.isEstablished, false, name)
    end.receive(hello)
    expectEqual(end.session.isEstablished, false, "\(name): nothing begins anew")
  }
  for cut in stride(from: 0, to: hello.count, by: 1) {
    var end = TLSPair.End(session: try #require(TLSSession(server)))
    end.receive(Array(hello[..<cut]))
    expectEqual(end.state, .needsInput, "the first \(cut) bytes")
    expectEqual(end.output, [], "no answer to the first \(cut) bytes")
    var changed = hello
    changed[cut] ^= 0xFF
    var other = TLSPair.End(session: try #require(TLSSession(server)))
    other.receive(changed)
    expectEqual(other.session.isEstablished, false, "byte \(cut) changed")
  }
}

@Test func `a record that was changed on its way ends the session, and what came before it counts`() throws {
  for version in TLSVersion.allCases {
    var pair = try TLSPair(TLSContext.client(trusting: .anybody, newest: version), TLSContext.server())
    pair.carry()
    pair.client.send(Array("good".utf8))
    let good = pair.client.takeOutput()
    pair.client.send(Array("bad".utf8))
    var bad = pair.client.takeOutput()
    bad[bad.count - 1] ^= 1
    pair.server.receive(good + bad)
    expectEqual(pair.server.plaintext, Array("good".utf8), "\(version)")
    if case .failed(.malformed) = pair.server.state {} else { expect(false, "\(version): \(pair.server.state)") }
    expect(!pair.server.output.isEmpty, "\(version): an alert")
    let state = pair.server.state
    pair.server.send([1])
    expectEqual(pair.server.state, state, "\(version): nothing can be sent")
    pair.server.receive(good)
    expectEqual(pair.server.state, state, "\(version): nothing can be received")
    pair.server.output = []
    pair.server.close()
    expectEqual(pair.server.output, [], "\(version): nothing more is said")
  }
}

@Test func `nothing is sent before the handshake, and never more than a record fits`() throws {
  var pair = try TLSPair(TLSContext.client(trusting: .anybody), TLSContext.server())
  pair.server.send([1, 2, 3])
  pair.server.close()
  expectEqual(pair.server.output, [], "before")
  pair.carry()
  var small = [UInt8](repeating: 0, count: 100)
  let progress = [UInt8](repeating: 1, count: 50).withUnsafeBytes { bytes in
    small.withUnsafeMutableBytes { pair.server.session.send(bytes, output: $0) }
  }
  expectEqual(progress, TLSProgress(), "no room for a record")
  pair.server.send([UInt8](repeating: 1, count: 40_000))
  let records = pair.server.output
  expect(records.count < 40_000 + 3 * 30, "three records, not \(records.count) bytes")
  pair.carry()
  expectEqual(pair.client.plaintext.count, 40_000, "all of it came")
}

@Test func `who changes keys again and again without using them is cut off, and who uses them is not`() throws {
  let clients = try TLSContext.client(trusting: .anybody)
  let servers = try TLSContext.server()
  /// An established pair, and a flight in which the client changes keys so often, each time with so many bytes behind it.
  func flight(_ changes: Int, data: Int) throws -> (pair: TLSPair, flight: [UInt8]) {
    var pair = try TLSPair(clients, servers)
    pair.carry()
    for _ in 0..<changes {
      expectEqual(SSL_key_update(pair.client.session.ssl, SSL_KEY_UPDATE_REQUESTED), 1)
      pair.client.receive([])
      pair.client.send([UInt8](repeating: 1, count: data))
    }
    return (pair, pair.client.takeOutput())
  }
  let cases: [(String, changes: Int, data: Int, piece: Int, isCutOff: Bool)] = [
    ("some", 20, 0, .max, false), ("some, each alone", 20, 0, 27, false), ("many, each alone", 60, 0, 27, true),
    ("many in one piece", 1_000, 0, .max, true), ("a byte between them does not pay", 1_000, 1, .max, true),
    ("what is used pays", 300, 1_100, 32_768, false),
  ]
  for (name, changes, data, piece, isCutOff) in cases {
    var (pair, flight) = try flight(changes, data: data)
    var taken = 0
    while taken < flight.count, case .needsInput = pair.server.state {
      let bytes = Array(flight[taken...].prefix(piece))
      pair.server.receive(bytes)
      taken += bytes.count
    }
    expectEqual(pair.server.state, isCutOff ? .failed(.flooded) : .needsInput, name)
    // Each answer is a record of 27 bytes: so many were looked at.
    expect(pair.server.output.count <= (isCutOff ? 40 : changes + 5) * 30, "\(name): \(pair.server.output.count) bytes of answers")
    if !isCutOff { expectEqual(pair.server.plaintext.count, changes * data, "\(name): all the data") }
  }
}

private enum TLS10 {
  /// A client hello of TLS 1.0 with one cipher.
  static let hello: [UInt8] =
    [0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 1] + [UInt8](repeating: 9, count: 32) + [0, 0, 2, 0xC0, 0x13, 1, 0]
}
