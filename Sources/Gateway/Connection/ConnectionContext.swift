package import HTTPProtocol
package import Observability
package import Transport

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
  /// Milliseconds that input is discarded after the last bytes of ours, so that they arrive (`docs/protocol.md`, Heartbeat and closing).
  package var lingerMs: UInt64 = 1_000
  /// Milliseconds that the last bytes of ours may take to leave.
  package var farewellMs: UInt64 = 5_000

  /// Milliseconds that the gateway takes to stop.
  package var drainMs: UInt64 = 10_000
  /// Sockets with descriptors from this number on serve health checks only.
  package var ordinaryDescriptors = Int.max

  /// Milliseconds in which a request comes over one of those sockets: the fewer are left, the sooner one must be free for the next check.
  package static let spareMs: UInt64 = 500

  /// How many of the last descriptors serve health checks only.
  package static let spareDescriptors = 64

  package init() {}

  /// Bounds the heads of requests.
  package mutating func setHeads(maxBytes: Int, maxFields: Int) {
    http.maxHeadBytes = maxBytes
    http.maxFields = maxFields
  }

  /// Keeps the last descriptors of the process for health checks: the kernel hands out the lowest number that is free, so a socket with one
  /// of the last numbers says that all before it are taken.
  ///
  /// - Parameter limit: How many descriptors the process may have open.
  package mutating func keepSpareDescriptors(of limit: UInt64) {
    // A limit so low leaves no room for sparing.
    ordinaryDescriptors = limit > 2 * UInt64(Self.spareDescriptors) ? Int(clamping: limit) - Self.spareDescriptors : Int.max
  }
}

/// Told of every connection that came and that ended.
protocol ConnectionObserver: AnyObject {
  func connectionOpened(_ connection: Connection, on loop: isolated EventLoop)
  func connectionEnded(_ connection: Connection, _ cause: CloseCause, on loop: isolated EventLoop)
}

/// What the connections of one loop share.
package final class ConnectionContext: AcceptTarget {
  package let limits: ConnectionLimits
  /// Decides on requests; set once, before the first connection.
  package var requests: (any RequestHandler)?
  /// The loop's figures.
  package var metrics: LoopMetrics
  /// The open connections, by their number.
  package private(set) var connections: [UInt64: Connection] = [:]
  /// The connections whose sockets take no more for now: few, so that looking at each of them once a second costs nothing.
  private var blocked: Set<UInt64> = []
  private var lastNumber: UInt64 = 0
  /// Told of every beginning and ending; lives as long as the loop.
  weak var observer: (any ConnectionObserver)?

  package init(limits: ConnectionLimits, metrics: LoopMetrics) {
    self.limits = limits
    self.metrics = metrics
  }

  /// Takes a socket that was just accepted.
  package func accepted(_ descriptor: CInt, from peer: SocketAddress, on loop: isolated EventLoop) {
    lastNumber += 1
    let connection = Connection(descriptor: descriptor, number: lastNumber, peer: peer, context: self, on: loop)
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

  func remove(_ connection: Connection, _ cause: CloseCause, on loop: isolated EventLoop) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    blocked.remove(connection.number)
    metrics.connections.close(cause)
    observer?.connectionEnded(connection, cause, on: loop)
  }
}
