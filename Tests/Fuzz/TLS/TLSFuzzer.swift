import FuzzSupport
import TLS
import TestSupport

/// Carries bytes between two ends in memory, changed on the way or made up.
///
/// The first byte says what the rest is: `s` what comes to a server, `c` what comes to a client, from nobody who speaks TLS; else steps of
/// a conversation, three bytes each.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let kind = input.byte()
  switch kind {
  case UInt8(ascii: "s"), UInt8(ascii: "c"): checkAlone(&input, isServer: kind == UInt8(ascii: "s"))
  default:
    var conversation = Conversation(isOld: kind & 1 == 1, room: [20_000, 100, 1_000, 7][Int(kind >> 1 & 3)])
    while !input.bytes.isEmpty { conversation.step(input.byte(), input.byte(), input.byte()) }
    conversation.finish()
  }
  return 0
}

/// Contexts are made once a process; the certificate is another one each time, and no property depends on it.
enum Contexts {
  static let server = required(try? TLSContext(serving: credentials(), tickets: TicketKeys(now: 0)), "a server's context")
  static let client = required(try? TLSContext(clientOffering: []), "a client's context")
  static let oldClient = required(try? TLSContext(clientOffering: [], newest: .v12), "a client's context")

  private static func credentials() throws -> TLSCredentials {
    let certificate = try TestCertificate(serial: 1)
    return TLSCredentials(certificates: certificate.pem, key: certificate.keyPEM)
  }
}

/// Made-up bytes lead to a state; a failure is final, and nothing is decrypted of them.
private func checkAlone(_ input: inout FuzzInput, isServer: Bool) {
  var end = End(isServer ? Contexts.server : Contexts.client, room: 300)
  let bytes = Array(input.bytes)
  var begin = 0
  for piece in input.pieces(of: bytes.count) {
    end.receive(Array(bytes[begin..<piece]))
    begin = piece
  }
  require(end.plaintext.isEmpty && !end.session.isEstablished, "nobody knows the keys of a handshake that was made up")
  if case .failed = end.state {
    let state = end.state
    end.receive(bytes)
    requireEqual(end.state, state, "a failure is final")
    end.send([1, 2, 3])
    end.close()
    requireEqual(end.state, state, "a failure is final for sending")
  }
}

/// One end, what came out of it, and what it was given to send.
struct End {
  let session: TLSSession
  let room: Int
  var output: [UInt8] = []
  var plaintext: [UInt8] = []
  var sent: [UInt8] = []
  var state = TLSProgress.State.needsInput
  private var hasClosed = false

  init(_ context: TLSContext, room: Int) {
    session = required(TLSSession(context), "a session")
    self.room = room
  }

  /// Gives the session what came, in memory of exactly that size, as often as it asks for more room.
  mutating func receive(_ bytes: [UInt8]) {
    let (input, place, output) = (Self.memory(bytes.count), Self.memory(500), Self.memory(room))
    defer { [input, place, output].forEach { $0.deallocate() } }
    input.copyBytes(from: bytes)
    var rest = UnsafeRawBufferPointer(input)
    for _ in 0..<100_000 {
      let progress = session.receive(rest, into: place, output: output)
      require(progress.consumed <= rest.count && progress.plaintext <= place.count && progress.output <= room, "within what was lent")
      rest = UnsafeRawBufferPointer(rebasing: rest[progress.consumed...])
      plaintext += place[..<progress.plaintext]
      self.output += output[..<progress.output]
      state = progress.state
      switch state {
      case .outputFull, .plaintextFull: continue
      case .needsInput: return require(rest.isEmpty, "all input is used")
      case .ended, .failed: return
      }
    }
    require(false, "it comes to an end")
  }

  /// Encrypts bytes, unless nothing may follow what was said.
  mutating func send(_ bytes: [UInt8]) {
    guard !hasClosed else { return }
    var rest = bytes[...]
    let output = Self.memory(TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead)
    defer { output.deallocate() }
    while !rest.isEmpty {
      let progress = rest.withUnsafeBytes { session.send($0, output: output) }
      self.output += output[..<progress.output]
      sent += rest.prefix(progress.consumed)
      guard progress.consumed > 0 else { return }
      rest = rest.dropFirst(progress.consumed)
    }
  }

  mutating func close() {
    let output = Self.memory(200)
    defer { output.deallocate() }
    let count = session.close(output: output)
    self.output += output[..<count]
    if count > 0 { hasClosed = true }
  }

  private static func memory(_ count: Int) -> UnsafeMutableRawBufferPointer { .allocate(byteCount: count, alignment: 1) }
}
