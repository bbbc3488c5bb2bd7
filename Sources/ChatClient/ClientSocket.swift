import Crypto
import HTTPProtocol
import TLS
import Transport
import WebSocketProtocol

/// What a client's socket tells.
protocol ClientSocketOwner: AnyObject {
  /// The socket speaks WebSocket.
  func opened(_ socket: ClientSocket, on loop: isolated EventLoop)
  /// Bytes came, of whatever kind.
  func heard(_ socket: ClientSocket, on loop: isolated EventLoop)
  /// A text message came.
  func received(_ text: UnsafeRawBufferPointer, from socket: ClientSocket, on loop: isolated EventLoop)
  /// It is over; nothing comes any more.
  func ended(_ socket: ClientSocket, _ end: LinkEnd, on loop: isolated EventLoop)
}

/// One WebSocket to a gateway: connects, shakes hands, upgrades, and carries texts.
final class ClientSocket: SocketHandler {
  private enum Phase { case connecting, upgrading, open, over }

  /// The most bytes of a message of the gateway.
  static let maxMessageBytes = 16 << 20
  /// What a failed upgrade is read for.
  private static let subprotocol = "parley.v1"

  private let descriptor: CInt
  private let address: GatewayAddress
  private let tls: TLSSession?
  private let key = SecureRandom.bytes(16)
  private weak var owner: (any ClientSocketOwner)?
  private var phase = Phase.connecting
  private var parser = ResponseHeadParser()
  private var machine = WebSocketMachine(role: .client, limits: MessageLimits(maxMessageBytes: maxMessageBytes))
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var isWriting = false
  private var wantsFlush = false

  /// Begins to connect.
  init(
    to target: SocketAddress, _ address: GatewayAddress, over context: TLSContext?, owner: any ClientSocketOwner,
    on loop: isolated EventLoop
  ) throws(SocketError) {
    self.address = address
    self.owner = owner
    tls = context.flatMap { TLSSession($0, serverName: address.host) }
    descriptor = try Socket.connect(to: target)
    do throws(SocketError) { try loop.register(descriptor, for: .write, self) } catch {
      Socket.close(descriptor)
      phase = .over
      throw error
    }
  }

  // MARK: - Of the loop

  func ready(_ events: Readiness, on loop: isolated EventLoop) {
    if phase == .connecting { return connected(on: loop) }
    if events.contains(.writable) { write(on: loop) }
    guard phase != .over, !events.isDisjoint(with: [.readable, .hangup, .error]) else { return }
    read(on: loop)
  }

  func flush(on loop: isolated EventLoop) {
    wantsFlush = false
    write(on: loop)
  }

  private func connected(on loop: isolated EventLoop) {
    if let error = Socket.pendingError(descriptor) { return end(.broken(error.description), on: loop) }
    phase = .upgrading
    loop.change(descriptor, to: .read)
    if address.isSecure, tls == nil { return end(.insecure("TLS cannot be begun"), on: loop) }
    if let tls { decrypt([], tls, on: loop) } else { sendUpgrade(on: loop) }
  }

  private func sendUpgrade(on loop: isolated EventLoop) {
    put(
      ClientHandshake.request(host: address.hostField, path: address.path, key: key, subprotocols: [Self.subprotocol]), on: loop)
  }

  // MARK: - Reading

  private func read(on loop: isolated EventLoop) {
    let buffer = loop.readBuffer
    switch Socket.receive(descriptor, into: buffer) {
    case .bytes(let count):
      owner?.heard(self, on: loop)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if let tls { decrypt(Array(bytes), tls, on: loop) } else { input.append(contentsOf: bytes) }
      take(on: loop)
    case .wouldBlock: break
    case .endOfStream: end(.broken("the gateway ended the connection"), on: loop)
    case .failed(let error): end(.broken(error.description), on: loop)
    }
  }

  private func decrypt(_ ciphertext: [UInt8], _ tls: TLSSession, on loop: isolated EventLoop) {
    let wasEstablished = tls.isEstablished
    var rest = ciphertext[...]
    var place = [UInt8](repeating: 0, count: 32_768)
    var records = [UInt8](repeating: 0, count: 32_768)
    var state = TLSProgress.State.needsInput
    repeat {
      let progress = rest.withUnsafeBytes { rest in
        place.withUnsafeMutableBytes { place in records.withUnsafeMutableBytes { tls.receive(rest, into: place, output: $0) } }
      }
      rest = rest.dropFirst(progress.consumed)
      input.append(contentsOf: place[..<progress.plaintext])
      output.append(contentsOf: records[..<progress.output])
      state = progress.state
    } while state == .outputFull || state == .plaintextFull
    write(on: loop)
    switch state {
    case .failed(let failure): end(.insecure(failure.sentence), on: loop)
    case .ended where input.isEmpty: end(.broken("the gateway ended the connection"), on: loop)
    case .ended, .needsInput, .outputFull, .plaintextFull: if !wasEstablished, tls.isEstablished { sendUpgrade(on: loop) }
    }
  }

  private func take(on loop: isolated EventLoop) {
    // Whoever is told may use the socket: its own input must not be borrowed then.
    var bytes = input
    input = []
    if phase == .upgrading { upgrade(&bytes, on: loop) }
    guard phase == .open else {
      if phase == .upgrading { input = bytes }
      return
    }
    let used = bytes.withUnsafeMutableBytes { frames(in: $0, on: loop) }
    if phase == .open { input = Array(bytes[used...]) + input }
  }

  private func upgrade(_ bytes: inout [UInt8], on loop: isolated EventLoop) {
    switch bytes.withUnsafeBytes({ parser.parse($0) }) {
    case .incomplete: break
    case .violation: end(.broken("the answer to the upgrade is malformed"), on: loop)
    case .head(let head, let consumed):
      bytes.removeFirst(consumed)
      do throws(ClientHandshake.Refusal) {
        _ = try ClientHandshake.verify(head, key: key, subprotocols: [Self.subprotocol], sha1: SHA1.digest)
        phase = .open
        owner?.opened(self, on: loop)
      } catch {
        if case .status(let status) = error { return end(.refused(status: status), on: loop) }
        end(.broken("the answer to the upgrade does not fit"), on: loop)
      }
    }
  }

  /// Takes the frames that are whole; returns how many bytes they had.
  private func frames(in bytes: UnsafeMutableRawBufferPointer, on loop: isolated EventLoop) -> Int {
    var offset = 0
    while phase == .open {
      switch machine.next(bytes, &offset) {
      case .needMore: return offset
      case .consumed, .pong: continue
      case .message(.text, let range): owner?.received(UnsafeRawBufferPointer(rebasing: bytes[range]), from: self, on: loop)
      case .assembled(.text):
        machine.takeAssembled().withUnsafeBytes { text in owner?.received(text, from: self, on: loop) }
      case .message, .assembled, .compressed, .compressedAssembled: end(.broken("the gateway sent what is no text"), on: loop)
      case .ping(let range):
        put(machine.frame(.pong, Array(bytes[range]), maskKey: Self.maskKey), on: loop)
      case .closeReceived(let code, let reason), .closeCompleted(let code, let reason):
        let text = String(decoding: bytes[reason], as: UTF8.self)
        put(machine.closeReply(maskKey: Self.maskKey), on: loop)
        write(on: loop)
        end(.closed(code: code?.rawValue ?? 1005, reason: text), on: loop)
      case .fail(let violation):
        put(machine.close(violation.closeCode, reason: violation.reason, maskKey: Self.maskKey), on: loop)
        write(on: loop)
        end(.broken("the gateway broke the protocol: \(violation.reason)"), on: loop)
      }
    }
    return offset
  }

  // MARK: - Writing

  private static var maskKey: UInt32 { UInt32(truncatingIfNeeded: SecureRandom.uint64()) }

  /// Sends a text message.
  func send(_ text: [UInt8], on loop: isolated EventLoop) { put(machine.frame(.text, text, maskKey: Self.maskKey), on: loop) }

  /// Asks whether the gateway is there.
  func ping(on loop: isolated EventLoop) { put(machine.frame(.ping, maskKey: Self.maskKey), on: loop) }

  private func put(_ bytes: [UInt8], on loop: isolated EventLoop) {
    guard phase != .over, !bytes.isEmpty else { return }
    if let tls { encrypt(bytes, tls) } else { output.append(contentsOf: bytes) }
    guard !wantsFlush else { return }
    wantsFlush = true
    loop.wantsFlush(self)
  }

  private func encrypt(_ bytes: [UInt8], _ tls: TLSSession) {
    var rest = bytes[...]
    var records = [UInt8](repeating: 0, count: TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead)
    while !rest.isEmpty {
      let progress = rest.withUnsafeBytes { rest in records.withUnsafeMutableBytes { tls.send(rest, output: $0) } }
      guard progress.consumed > 0 else { return }
      output.append(contentsOf: records[..<progress.output])
      rest = rest.dropFirst(progress.consumed)
    }
  }

  private func write(on loop: isolated EventLoop) {
    guard phase != .over else { return }
    var sent = 0
    loop: while sent < output.count {
      switch output.withUnsafeBytes({ Socket.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
      case .bytes(let count): sent += count
      case .wouldBlock: break loop
      // What the gateway said before it went is still to be read.
      case .endOfStream, .failed: sent = output.count
      }
    }
    output.removeFirst(sent)
    let isBlocked = !output.isEmpty
    guard isBlocked != isWriting else { return }
    isWriting = isBlocked
    loop.change(descriptor, to: isBlocked ? [.read, .write] : .read)
  }

  // MARK: - Ends

  /// Closes from this side; nobody is told.
  func close(on loop: isolated EventLoop) {
    guard phase != .over else { return }
    if phase == .open {
      put(machine.close(.normal, maskKey: Self.maskKey), on: loop)
      write(on: loop)
    }
    finish(on: loop)
  }

  private func end(_ end: LinkEnd, on loop: isolated EventLoop) {
    guard phase != .over else { return }
    finish(on: loop)
    owner?.ended(self, end, on: loop)
  }

  private func finish(on loop: isolated EventLoop) {
    phase = .over
    loop.remove(descriptor)
    Socket.close(descriptor)
    (input, output) = ([], [])
  }
}
