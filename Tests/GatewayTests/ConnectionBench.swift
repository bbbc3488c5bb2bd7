import Dispatch
import HTTPProtocol
import Observability
import TLS
import Transport
import WebSocketProtocol

@testable import Gateway

/// The connection stack on a loop, without a chat behind it.
final class ConnectionBench: Sendable {
  /// Answers every upgrade with its receiver, and other requests by their path.
  final class Requests: RequestHandler {
    private let receiver: any MessageReceiver
    /// The connections that wait for `release`.
    var waiting: [Connection] = []

    init(_ receiver: any MessageReceiver) { self.receiver = receiver }

    private static func digest(_: [UInt8]) -> [UInt8] { Array(repeating: 0, count: 20) }

    func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
      switch (request.path, ServerHandshake.accept(request, compression: connection.context.limits.compression, sha1: Self.digest)) {
      case ("/late", _):
        waiting.append(connection)
        return .wait(receiver)
      case (_, .accept(let acceptance)):
        return connection.context.admit(connection) ? .upgrade(receiver, acceptance) : .respond(.crowded)
      case ("/client", _): return .respond(.text(200, connection.client.description))
      case ("/big", .refuse): return .respond(HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 500_000)))
      case ("/huge", .refuse): return .respond(HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 16_000_000)))
      case ("/missing", .refuse): return .respond(.text(404, "nothing"))
      case (_, .refuse): return .respond(.text(200, request.path))
      }
    }
  }

  /// Sends texts back.
  final class Receiver: MessageReceiver {
    var limits = MessageLimits(maxMessageBytes: 1 << 20)
    func wantsMore(from connection: Connection) -> Bool { held.count < 3 }
    func roomCame(_ connection: Connection, on loop: isolated EventLoop) {}
    /// Texts that begin with `hold` are not answered until `release`.
    var held: [(Connection, [UInt8])] = []
    var endings: [CloseCause] = []
    /// How many texts that begin with `drop` came; they are not answered.
    var dropped = 0
    /// How many connections were opened.
    var opened = 0
    /// The connection whose text was dropped last.
    weak var dropping: Connection?

    func opened(_ connection: Connection, on loop: isolated EventLoop) {
      opened += 1
      connection.send(text: [UInt8]("hello".utf8), on: loop)
    }

    func received(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, from connection: Connection, on loop: isolated EventLoop) {
      switch String(decoding: payload, as: UTF8.self) {
      case "begun":
        let count = connection.context.connections.values.count { $0.secure?.hasBegun == true }
        connection.send(text: [UInt8]("\(count)".utf8), on: loop)
      // How many bytes of somebody wait for their turn.
      case "left":
        let count = connection.context.connections.values.map(\.rest.count).max() ?? 0
        connection.send(text: [UInt8]("\(count)".utf8), on: loop)
      case let text where text.hasPrefix("drop"):
        dropped += 1
        dropping = connection
      case let text where text.hasPrefix("hold"): held.append((connection, Array(text.utf8)))
      default: connection.send(opcode, payload, on: loop)
      }
    }

    func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) { endings.append(cause) }
  }

  /// What lives on the loop.
  final class Station {
    let context: ConnectionContext
    let receiver = Receiver()
    let requests: Requests
    /// What a test lets the loop do.
    var owner: (any MailboxOwner)?

    init(_ limits: ConnectionLimits, _ tls: TLSWorkspace?, on loop: isolated EventLoop) {
      let admission = ConnectionAdmission(limits)
      context = ConnectionContext(limits: limits, metrics: LoopMetrics(methods: 0, topicKinds: 0), tls: tls, admission: admission, on: loop)
      requests = Requests(receiver)
      context.requests = requests
    }
  }

  /// Carries the station to where it is used; only `onLoop` opens it.
  private struct Box: @unchecked Sendable {
    // Sound: the station is only touched inside `loop.run`.
    let station: Station
  }

  let loop: EventLoop
  let address: SocketAddress
  private let box: Box

  static func start(tls: TLSContext? = nil, _ change: (inout ConnectionLimits) -> Void = { _ in }) async throws -> ConnectionBench {
    var limits = ConnectionLimits()
    limits.lingerMs = 50
    change(&limits)
    let sockets = try ListeningSockets([.ipv4(IPv4Address(127, 0, 0, 1), port: 0)], loops: 1)
    let loop = try EventLoop(index: 0)
    let box = try await loop.run { [limits] loop in
      let source: TLSWorkspace.Source? = if let tls { { tls } } else { nil }
      let station = Station(limits, source.map { TLSWorkspace($0, on: loop) }, on: loop)
      _ = try sockets.accept(on: loop, into: station.context)
      loop.start()
      return Box(station: station)
    }
    return ConnectionBench(loop, sockets.addresses[0], box)
  }

  private init(_ loop: EventLoop, _ address: SocketAddress, _ box: Box) {
    self.loop = loop
    self.address = address
    self.box = box
  }

  /// Looks at or changes what lives on the loop.
  func onLoop<Value: Sendable>(_ body: @Sendable (Station, isolated EventLoop) -> Value) async -> Value {
    let box = box
    return await loop.run { body(box.station, $0) }
  }

  /// A loop that stands until it is let go on.
  struct Hold: Sendable {
    fileprivate let gate = DispatchSemaphore(value: 0)

    func goOn() { gate.signal() }
  }

  /// Holds the loop up: what is sent meanwhile has all come when the loop looks again.
  func hold() async -> Hold {
    let hold = Hold()
    await withCheckedContinuation { continuation in
      loop.execute { _ in
        continuation.resume()
        hold.gate.wait()
      }
    }
    return hold
  }

  /// Waits until something is so on the loop; false after ten seconds.
  func holds(_ condition: @escaping @Sendable (Station) -> Bool) async -> Bool {
    let start = Tick.now()
    while Tick.now().milliseconds(since: start) < 10_000 {
      if await onLoop({ station, _ in condition(station) }) { return true }
      await Task.yield()
    }
    return false
  }

  /// Waits until so many connections ended for a cause.
  func ended(_ cause: CloseCause, _ count: UInt64 = 1) async -> Bool {
    await holds { $0.context.metrics.connections.closed(cause) == count }
  }

  func stop() async {
    await onLoop { station, loop in
      for connection in Array(station.context.connections.values) { connection.end(.drained, on: loop) }
      station.context.requests = nil
    }
    await loop.stop()
  }
}
