import TestSupport

@testable import TLS

/// A client and a server joined in memory.
struct TLSPair {
  /// One end, with what came out of it.
  struct End {
    let session: TLSSession
    /// What waits to be carried to the other end.
    var output: [UInt8] = []
    /// What the other end sent.
    var plaintext: [UInt8] = []
    /// The state after the last call.
    var state = TLSProgress.State.needsInput
    /// How much output one call has room for.
    var room = 65_536

    /// Gives the session what came, as often as it asks for more room.
    mutating func receive(_ bytes: [UInt8]) {
      var rest = bytes[...]
      repeat {
        var place = [UInt8](repeating: 0, count: 100)
        var sent = [UInt8](repeating: 0, count: room)
        let progress = rest.withUnsafeBytes { rest in
          place.withUnsafeMutableBytes { place in sent.withUnsafeMutableBytes { session.receive(rest, into: place, output: $0) } }
        }
        rest = rest.dropFirst(progress.consumed)
        plaintext += place[..<progress.plaintext]
        output += sent[..<progress.output]
        state = progress.state
      } while state == .outputFull || state == .plaintextFull
    }

    /// Encrypts everything.
    mutating func send(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        var sent = [UInt8](repeating: 0, count: TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead)
        let progress = rest.withUnsafeBytes { rest in sent.withUnsafeMutableBytes { session.send(rest, output: $0) } }
        output += sent[..<progress.output]
        guard progress.consumed > 0 else { return state = progress.state }
        rest = rest.dropFirst(progress.consumed)
      }
    }

    mutating func close() {
      var sent = [UInt8](repeating: 0, count: 1_024)
      let count = sent.withUnsafeMutableBytes { session.close(output: $0) }
      output += sent[..<count]
    }

    mutating func takeOutput() -> [UInt8] {
      defer { output = [] }
      return output
    }
  }

  var client: End
  var server: End

  struct NoSession: Error {}

  init(_ clients: TLSContext, _ servers: TLSContext, serverName: String? = nil, resuming ticket: TLSTicket? = nil) throws {
    guard let client = TLSSession(clients, serverName: serverName, resuming: ticket), let server = TLSSession(servers) else {
      throw NoSession()
    }
    self.client = End(session: client)
    self.server = End(session: server)
  }

  /// Carries bytes to and fro, in pieces, until nobody has any.
  mutating func carry(piece: Int = .max) {
    client.receive([])
    while !client.output.isEmpty || !server.output.isEmpty {
      for bytes in Self.pieces(client.takeOutput(), piece) { server.receive(bytes) }
      for bytes in Self.pieces(server.takeOutput(), piece) { client.receive(bytes) }
    }
  }

  private static func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))).map { Array(bytes[$0...].prefix(size)) }
  }
}

extension TLSCredentials {
  init(_ certificate: TestCertificate) { self.init(certificates: certificate.pem, key: certificate.keyPEM) }
}

extension TLSContext {
  /// A server with a certificate of its own.
  static func server(serial: Int = 7, tickets: TicketKeys = TicketKeys(now: 0)) throws -> TLSContext {
    try TLSContext(serving: TLSCredentials(TestCertificate(serial: serial)), tickets: tickets)
  }
}
