import Bytes
import Compression
import Crypto
import Glibc
import HTTPProtocol
import TLS
import TestSupport
import Transport
import WebSocketProtocol

/// A WebSocket client for tests: it blocks, and gives up after ten seconds.
final class WireClient {
  /// What came from the server.
  enum Event: Equatable {
    case text(String)
    /// A text that came compressed.
    case inflated(String)
    case ping(String)
    case pong(String)
    case closed(UInt16, String)
    /// The socket ended.
    case end
    case nothingInTime
  }

  /// An answer to a plain request.
  struct Answer: Equatable {
    let status: Int
    let fields: [HeaderField]
    let body: String

    /// The value of a field.
    func value(of name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  private let descriptor: CInt
  /// What the client speaks TLS with; nil where it speaks none.
  private(set) var tls: TLSSession?
  /// What became of TLS.
  private(set) var tlsState = TLSProgress.State.needsInput
  /// Bytes that came from the socket.
  private(set) var receivedCount = 0
  private var input: [UInt8] = []
  private var machine = WebSocketMachine(role: .client, limits: MessageLimits(maxMessageBytes: 64 << 20))
  /// Inflates what comes, once compression was agreed on.
  private var inflater: Inflater?
  private let inflated = OutputBuffer()
  private var lastID: Int64 = 0
  /// Texts that were read while something else was awaited.
  private var skipped: [String] = []

  /// Connects, without a word.
  init(to address: SocketAddress, receiveBuffer: CInt? = nil) throws {
    descriptor = try Socket.connect(to: address)
    if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size)) }
    _ = wait(for: POLLOUT)
    if let error = Socket.pendingError(descriptor) {
      Socket.close(descriptor)
      throw error
    }
  }

  deinit { Socket.close(descriptor) }

  /// Connects and shakes hands; where that fails, `tlsState` says how.
  convenience init(to address: SocketAddress, over context: TLSContext, resuming ticket: TLSTicket? = nil, receiveBuffer: CInt? = nil)
    throws
  {
    try self.init(to: address, receiveBuffer: receiveBuffer)
    try beginTLS(context, resuming: ticket)
    while tls?.isEstablished == false, case .bytes = fill() {}
  }

  /// Begins to speak TLS, with the first message alone.
  func beginTLS(_ context: TLSContext, resuming ticket: TLSTicket? = nil) throws {
    guard let session = TLSSession(context, serverName: nil, resuming: ticket) else { throw Failure(description: "no session") }
    tls = session
    decrypt([], session)
  }

  private func decrypt(_ bytes: [UInt8], _ session: TLSSession) {
    var rest = bytes[...]
    repeat {
      var place = [UInt8](repeating: 0, count: 20_000)
      var output = [UInt8](repeating: 0, count: 20_000)
      let progress = rest.withUnsafeBytes { rest in
        place.withUnsafeMutableBytes { place in output.withUnsafeMutableBytes { session.receive(rest, into: place, output: $0) } }
      }
      rest = rest.dropFirst(progress.consumed)
      input += place[..<progress.plaintext]
      send(raw: Array(output[..<progress.output]))
      tlsState = progress.state
    } while tlsState == .outputFull || tlsState == .plaintextFull
  }

  /// What goes out for bytes: themselves, or records.
  func encrypted(_ bytes: [UInt8]) -> [UInt8] {
    guard let tls else { return bytes }
    var records: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var output = [UInt8](repeating: 0, count: 20_000)
      let progress = rest.withUnsafeBytes { rest in output.withUnsafeMutableBytes { tls.send(rest, output: $0) } }
      guard progress.consumed > 0 else { break }
      records += output[..<progress.output]
      rest = rest.dropFirst(progress.consumed)
    }
    return records
  }

  /// Says by TLS alone that nothing more comes.
  func closeTLS() { send(raw: closeNotify()) }

  /// What says that, behind all that is encrypted before; nothing without TLS.
  func closeNotify() -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 1_000)
    let count = output.withUnsafeMutableBytes { tls?.close(output: $0) ?? 0 }
    return Array(output[..<count])
  }

  /// Connects and upgrades.
  static func open(
    _ address: SocketAddress, path: String = "/ws", subprotocols: [String] = [], deflate: DeflateOffer? = nil, fields: [HeaderField] = [],
    receiveBuffer: CInt? = nil, over context: TLSContext? = nil
  ) throws -> WireClient {
    let client =
      if let context { try WireClient(to: address, over: context, receiveBuffer: receiveBuffer) } else {
        try WireClient(to: address, receiveBuffer: receiveBuffer)
      }
    let answer = try client.upgrade(path: path, subprotocols: subprotocols, deflate: deflate, fields: fields)
    guard answer.status == 101 else { throw Failure(description: "the upgrade was answered \(answer)") }
    return client
  }

  private func wait(for events: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, 10_000) == 1
  }

  // MARK: - Bytes

  /// Sends bytes as they are; false where the peer takes none for ten seconds, or is gone.
  @discardableResult
  func send(bytes: [UInt8]) -> Bool { send(raw: encrypted(bytes)) }

  /// Sends bytes on the socket itself.
  @discardableResult
  func send(raw bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch rest.withUnsafeBytes({ Socket.send(descriptor, $0) }) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: if !wait(for: POLLOUT) { return false }
      case .endOfStream, .failed: return false
      }
    }
    return true
  }

  /// Sends what goes into the kernel's buffers and never waits; returns how many bytes went.
  func sendNow(_ bytes: [UInt8]) -> Int {
    if case .bytes(let count) = encrypted(bytes).withUnsafeBytes({ Socket.send(descriptor, $0) }) { count } else { 0 }
  }

  /// Says that nothing more comes.
  func shutdown() { Socket.shutdownWriting(descriptor) }

  /// Goes without a word, by a reset.
  func vanish() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    // The descriptor itself is closed by `deinit`.
    let null = Glibc.open("/dev/null", O_RDONLY)
    dup2(null, descriptor)
    Glibc.close(null)
  }

  /// Reads more; false at the end, or after ten seconds.
  private func fill() -> IOResult {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    guard wait(for: POLLIN) else { return .wouldBlock }
    let result = bytes.withUnsafeMutableBytes { Socket.receive(descriptor, into: $0) }
    if case .bytes(let count) = result {
      receivedCount += count
      if let tls { decrypt(Array(bytes[..<count]), tls) } else { input += bytes[..<count] }
    }
    return result
  }

  // MARK: - HTTP

  /// Sends a request and reads its answer.
  func request(_ path: String, method: String = "GET", fields: [String] = []) throws -> Answer {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields + ["", ""]
    send(bytes: Array(lines.joined(separator: "\r\n").utf8))
    return try answer(isForHead: method == "HEAD")
  }

  /// Asks for an upgrade and reads the answer.
  func upgrade(
    path: String = "/ws", subprotocols: [String] = [], deflate: DeflateOffer? = nil, fields: [HeaderField] = []
  ) throws -> Answer {
    let key = Array("0123456789abcdef".utf8)
    send(
      bytes: ClientHandshake.request(
        host: "localhost", path: path, key: key, subprotocols: subprotocols, deflate: deflate, fields: fields))
    let answer = try answer()
    if let deflate, let field = answer.value(of: "Sec-WebSocket-Extensions") {
      guard let agreement = DeflateAgreement(answer: ExtensionOffer.list(field), to: deflate) else { throw Failure(description: field) }
      machine = WebSocketMachine(role: .client, limits: MessageLimits(maxMessageBytes: 64 << 20), allowsCompression: true)
      inflater = Inflater(windowBits: agreement.serverWindowBits, keepsContext: agreement.serverKeepsContext)
    }
    return answer
  }

  /// Reads an answer.
  func answer(isForHead: Bool = false) throws -> Answer {
    var parser = ResponseHeadParser()
    while true {
      switch input.withUnsafeBytes({ parser.parse($0) }) {
      case .head(let head, let consumed):
        input.removeFirst(consumed)
        let length = isForHead ? 0 : head.fields.first { $0.name == "Content-Length" }.flatMap { Int($0.value) } ?? 0
        while input.count < length { guard case .bytes = fill() else { throw Failure(description: "the body broke off") } }
        defer { input.removeFirst(length) }
        return Answer(status: head.status, fields: head.fields, body: String(decoding: input.prefix(length), as: UTF8.self))
      case .incomplete: guard case .bytes = fill() else { throw Failure(description: "the answer broke off") }
      case .violation(let violation): throw Failure(description: "the answer is bad: \(violation)")
      }
    }
  }

  // MARK: - Frames

  /// A masked frame.
  static func frame(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    FrameEncoder.frame(opcode, payload, isFinal: isFinal, maskKey: 0x1234_5678)
  }

  /// A masked frame with RSV1.
  static func compressedFrame(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    FrameEncoder.frame(opcode, payload, isFinal: isFinal, isCompressed: true, maskKey: 0x1234_5678)
  }

  func send(_ opcode: Opcode, _ payload: [UInt8] = []) { send(bytes: Self.frame(opcode, payload)) }

  func send(_ text: String) { send(.text, Array(text.utf8)) }

  /// Closes from this side.
  func close(_ code: CloseCode = .normal) { send(bytes: machine.close(code, maskKey: 0x1234_5678)) }

  /// The next event; pings of the server are answered by whoever asks.
  func next() -> Event {
    while true {
      var offset = 0
      let event: Event? = input.withUnsafeMutableBytes { bytes in
        while true {
          switch machine.next(bytes, &offset) {
          case .needMore: return nil
          case .consumed: continue
          case .message(_, let range): return .text(String(decoding: bytes[range], as: UTF8.self))
          case .assembled: return .text(String(decoding: machine.takeAssembled(), as: UTF8.self))
          case .compressed(_, let range): return inflate(UnsafeRawBufferPointer(rebasing: bytes[range]))
          case .compressedAssembled: return machine.takeAssembled().withUnsafeBytes { inflate($0) }
          case .ping(let range): return .ping(String(decoding: bytes[range], as: UTF8.self))
          case .pong(let range): return .pong(String(decoding: bytes[range], as: UTF8.self))
          case .closeReceived(let code, let reason), .closeCompleted(let code, let reason):
            return .closed(code?.rawValue ?? 1005, String(decoding: bytes[reason], as: UTF8.self))
          case .fail(let violation): return .text("the server broke the protocol: \(violation)")
          }
        }
      }
      input.removeFirst(offset)
      if let event { return event }
      switch fill() {
      case .bytes: continue
      case .wouldBlock: return .nothingInTime
      case .endOfStream, .failed: return .end
      }
    }
  }

  private func inflate(_ payload: UnsafeRawBufferPointer) -> Event {
    let message = try? inflater?.inflate(payload, limit: 64 << 20, into: inflated)
    return message.map { .inflated(String(decoding: $0, as: UTF8.self)) } ?? .text("the server sent what cannot be inflated")
  }

  /// The next text, whatever comes before; nil where none does.
  func nextText() -> String? {
    while true {
      switch next() {
      case .text(let text), .inflated(let text): return text
      case .ping, .pong: continue
      case .closed, .end, .nothingInTime: return nil
      }
    }
  }

  /// The code with which the server closes, whatever comes before; 1006 where it goes without one.
  func closeCode() -> UInt16 {
    while true {
      switch next() {
      case .closed(let code, _): return code
      case .end: return 1006
      case .nothingInTime: return 0
      case .text, .inflated, .ping, .pong: continue
      }
    }
  }

  /// Whether the socket ends, whatever comes before.
  func ends() -> Bool {
    while true {
      switch next() {
      case .end: return true
      case .nothingInTime: return false
      case .closed, .text, .inflated, .ping, .pong: continue
      }
    }
  }

  // MARK: - JSON-RPC

  /// The next text with all of these parts; texts without them are kept for later.
  func text(with parts: String...) throws -> String {
    func fits(_ text: String) -> Bool { parts.allSatisfy { text.contains($0) } }
    if let index = skipped.firstIndex(where: fits) { return skipped.remove(at: index) }
    while true {
      let event = next()
      switch event {
      case .text(let text), .inflated(let text):
        if fits(text) { return text }
        skipped.append(text)
      case .ping(let payload): send(.pong, Array(payload.utf8))
      case .pong, .closed, .end, .nothingInTime:
        throw Failure(description: "\(event) instead of a text with \(parts), after \(skipped)")
      }
    }
  }

  /// Sends a request and returns its number.
  @discardableResult
  func ask(_ method: String, _ params: String = "{}") -> Int64 {
    lastID += 1
    send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
    return lastID
  }

  /// Reads the reply to a request.
  func reply(to id: Int64) throws -> String { try text(with: #""id":\#(id),"#) }

  /// Sends a request and returns the whole reply.
  func call(_ method: String, _ params: String = "{}") throws -> String { try reply(to: ask(method, params)) }

  /// Opens a session as a guest with an id.
  @discardableResult
  func enter(as id: String) throws -> String { try call("session.open", #"{"guest":{"name":"\#(id)","id":"\#(id)"}}"#) }
}
