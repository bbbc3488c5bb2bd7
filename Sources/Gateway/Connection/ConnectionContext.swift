package import HTTPProtocol
package import Observability
import TLS
package import Transport
package import WebSocketProtocol

/// The bounds and times of a loop's connections.
package struct ConnectionLimits: Equatable, Sendable {
  package var http = HTTPLimits()
  /// Milliseconds from the accept to the upgrade, or to the next request.
  package var handshakeMs: UInt64 = 10_000
  /// Milliseconds from the last byte received to a ping.
  package var heartbeatMs: UInt32 = 25_000
  /// Milliseconds from the ping to the end.
  package var graceMs: UInt32 = 10_000
  /// Bytes that may wait to be sent.
  package var outboundBytes = 1_048_576
  /// What is granted to clients that offer compression; nil: nothing.
  package var compression: DeflatePolicy? = DeflatePolicy()
  /// How many bytes a second a connection may have inflated beyond what it sends, twice as many at once; 0 is no limit.
  package var inflatedPerSecond = 1_048_576
  /// Milliseconds that input is discarded after the last bytes of ours, so that they arrive (`docs/protocol.md`, Heartbeat and closing).
  package var lingerMs: UInt64 = 1_000
  /// Milliseconds that the last bytes of ours may take to leave.
  package var farewellMs: UInt64 = 5_000

  /// Milliseconds that the gateway takes to stop.
  package var drainMs: UInt64 = 10_000
  /// Sockets with descriptors from this number on serve health checks only.
  package var ordinaryDescriptors = Int.max
  /// The most sockets of all loops; those beyond it serve health checks only, 0: as many as there are descriptors.
  package var maxConnections = 0
  /// The most upgraded connections of one address, or of one /64 of IPv6; 0 is no limit.
  package var maxPerAddress = 0
  /// The most sockets of a loop that serve health checks only; the oldest makes room for the next, so that a health check always gets one.
  package var maxSpares = 16
  /// Milliseconds in which a request comes over one of those sockets: the fewer are left, the sooner one must be free for the next check.
  package var spareMs: UInt64 = 500
  /// Whose word about the client is believed.
  package var proxies = TrustedProxies()

  /// The fewest of the last descriptors that serve health checks only.
  package static let spareDescriptors = 64
  /// How many of them are for files, so that accepting does not fail even when all others are taken.
  private static let fileDescriptors = 16

  package init() {}

  /// Bounds the heads of requests.
  package mutating func setHeads(maxBytes: Int, maxFields: Int) {
    http.maxHeadBytes = maxBytes
    http.maxFields = maxFields
  }

  /// Keeps the last descriptors of the process for health checks: the kernel hands out the lowest number that is free, so a socket with one
  /// of the last numbers says that all before it are taken.
  ///
  /// - Parameters:
  ///   - limit: How many descriptors the process may have open.
  ///   - loops: How many loops share them, besides the listener of the metrics.
  package mutating func keepSpareDescriptors(of limit: UInt64, loops: Int = 1) {
    let places = max(1, loops) + 1
    // Each place holds one at the least, and one more from its accept until the oldest has made room.
    let kept = max(Self.spareDescriptors, Self.fileDescriptors + 2 * places)
    // A limit so low leaves no room for sparing.
    ordinaryDescriptors = limit > 2 * UInt64(kept) ? Int(clamping: limit) - kept : Int.max
    maxSpares = (kept - Self.fileDescriptors) / places - 1
  }
}

/// Told of every connection that came and that ended, and of TLS that failed.
protocol ConnectionObserver: AnyObject {
  func connectionOpened(_ connection: Connection, on loop: isolated EventLoop)
  func secureTransportFailed(_ failure: TLSFailure, of connection: Connection)
  func connectionEnded(_ connection: Connection, _ cause: CloseCause, on loop: isolated EventLoop)
}

/// What the connections of one loop share.
package final class ConnectionContext: AcceptTarget {
  package let limits: ConnectionLimits
  /// Decides on requests; set once, before the first connection.
  package var requests: (any RequestHandler)?
  // Unchecked in release builds, as `Connection.machine` is and for its reason: the methods of figures and of `work` call nobody.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  /// The loop's figures.
  package var metrics: LoopMetrics
  /// The open connections, by their number.
  package private(set) var connections: [UInt64: Connection] = [:]
  /// The connections whose sockets take no more for now: few, so that looking at each of them once a second costs nothing.
  private var blocked: Set<UInt64> = []
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  /// What the connection whose bytes are gone through may still cause.
  var work = TurnWork()
  /// The connections that go on in the next round.
  let yields: YieldQueue
  /// The loop's compression streams.
  let deflates: DeflatePool
  private var lastNumber: UInt64 = 0
  /// The sockets that serve health checks only, the oldest first.
  private var spares: [UInt64] = []
  /// Counts for all loops; nil where nothing is limited by that.
  private let admission: ConnectionAdmission?
  /// Called when the last connection is gone, after `endAll`.
  private var emptied: (@Sendable () -> Void)?
  /// What the connections need to speak TLS; nil where they speak none.
  let tls: TLSWorkspace?
  /// Told of every beginning and ending; lives as long as the loop.
  weak var observer: (any ConnectionObserver)?

  package init(
    limits: ConnectionLimits, metrics: LoopMetrics, tls: TLSWorkspace? = nil, admission: ConnectionAdmission? = nil,
    on loop: isolated EventLoop
  ) {
    self.limits = limits
    self.metrics = metrics
    self.tls = tls
    self.admission = admission
    yields = YieldQueue(on: loop)
    deflates = DeflatePool(policy: limits.compression ?? DeflatePolicy())
  }

  /// Takes a socket that was just accepted.
  package func accepted(_ descriptor: CInt, from peer: SocketAddress, on loop: isolated EventLoop) {
    lastNumber += 1
    let spare = spareReason(of: descriptor)
    if spare != nil { makeRoomForSpare(on: loop) }
    let connection = Connection(descriptor: descriptor, number: lastNumber, peer: peer, spare: spare, context: self, on: loop)
    connections[lastNumber] = connection
    metrics.connections.open()
    observer?.connectionOpened(connection, on: loop)
    connection.start(on: loop)
  }

  /// A connection's socket takes no more bytes for now, or takes them again.
  func writeBlocked(_ connection: Connection, _ isBlocked: Bool) {
    if isBlocked { blocked.insert(connection.number) } else { blocked.remove(connection.number) }
  }

  /// What waits to be sent now.
  var queueDepth: QueueDepth {
    blocked.reduce(into: QueueDepth()) { depth, number in
      if let connection = connections[number] { depth.add(bytes: connection.waitingBytes) }
    }
  }

  /// Why a socket that was just accepted serves health checks only; nil for one within all limits.
  private func spareReason(of descriptor: CInt) -> ConnectionRefusal? {
    if admission?.opened() == false { return .connectionLimit }
    return Int(descriptor) >= limits.ordinaryDescriptors ? .descriptorLimit : nil
  }

  /// Sockets that say nothing must not keep a health check waiting: the oldest goes.
  private func makeRoomForSpare(on loop: isolated EventLoop) {
    if spares.count >= max(1, limits.maxSpares), let oldest = spares.first {
      metrics.connections.refuse(.evicted)
      connections[oldest]?.end(.overloaded, on: loop)
    }
    spares.append(lastNumber)
  }

  /// Counts a connection that is to be upgraded for its client's network; false where that has too many.
  func admit(_ connection: Connection) -> Bool {
    guard let admission, connection.place == nil else { return true }
    connection.place = admission.admit(ClientNetwork(connection.client))
    return connection.place != nil
  }

  /// Ends every connection, at once where it owes nothing, else when what it owes is sent; then calls `done`.
  func endAll(on loop: isolated EventLoop, done: @escaping @Sendable () -> Void) {
    for connection in Array(connections.values) { connection.finish(on: loop) }
    // The requests may know who knows this context.
    requests = nil
    if connections.isEmpty { done() } else { emptied = done }
  }

  func remove(_ connection: Connection, _ cause: CloseCause, on loop: isolated EventLoop) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    blocked.remove(connection.number)
    if connection.isSpare { spares.removeAll { $0 == connection.number } }
    admission?.closed(isWithinLimit: connection.spare != .connectionLimit, connection.place)
    connection.place = nil
    metrics.connections.close(cause)
    observer?.connectionEnded(connection, cause, on: loop)
    guard connections.isEmpty, let emptied else { return }
    self.emptied = nil
    emptied()
  }
}
