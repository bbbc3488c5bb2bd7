import Locks
package import Observability
package import Transport

/// A reason for which the gateway is not ready.
package struct FailedCheck: Hashable, Sendable {
  package let name: String
  package let reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}

/// What the health addresses and the metrics page tell, gathered without touching a loop.
package final class Monitoring: Sendable {
  /// What a loop left behind at its last beat.
  private struct Beat: Sendable {
    var metrics: LoopMetrics
    var at: UInt64
  }

  /// A loop that was not heard for so long does not turn, milliseconds.
  package static let maxSilenceMs: UInt64 = 10_000
  /// How often a loop is heard, milliseconds.
  package static let beatMs: UInt64 = 1_000

  private let beats: Lock<[Beat]>
  private let server = Lock(ServerMachine())
  private let readiness: @Sendable () -> [FailedCheck]
  private let page: @Sendable (_ loops: [LoopMetrics], _ isReady: Bool) -> String
  /// Who may read the metrics besides loopback peers.
  private let allowed: [Network]

  /// - Parameters:
  ///   - loops: How many loops will beat.
  ///   - empty: Metrics without a count.
  ///   - now: The loops' clock.
  ///   - allowed: Networks that may read the metrics.
  ///   - readiness: Names what is not ready, such as the store.
  ///   - page: Renders the metrics of all loops, and whether the gateway is ready.
  package init(
    loops: Int, empty: LoopMetrics, now: UInt64, allowed: [Network] = [], readiness: @escaping @Sendable () -> [FailedCheck],
    page: @escaping @Sendable (_ loops: [LoopMetrics], _ isReady: Bool) -> String
  ) {
    beats = Lock(Array(repeating: Beat(metrics: empty, at: now), count: loops))
    self.allowed = allowed
    self.readiness = readiness
    self.page = page
  }

  /// A loop turns.
  func beat(of loop: Int, _ metrics: LoopMetrics, at now: UInt64) {
    beats.withLock { beats in
      if beats.indices.contains(loop) { beats[loop] = Beat(metrics: metrics, at: now) }
    }
  }

  // MARK: - The server's life

  /// The loops run.
  func started() { server.withLock { $0.started() } }

  /// Somebody asks for the end; the answer says what to do, from any thread.
  package func stopRequested() -> StopAction { server.withLock { $0.stopRequested() } }

  /// The gateway stops.
  func drainBegan() { server.withLock { $0.drainBegan() } }

  /// The last connection is gone.
  func drainEnded() { server.withLock { $0.drainEnded() } }

  /// Whether the gateway stops.
  package var isDraining: Bool { server.withLock { $0.isDraining } }

  // MARK: - What is told

  /// The loops that were not heard for too long.
  func silentLoops(at now: UInt64) -> [Int] {
    beats.withLock { beats in
      beats.indices.filter { now > beats[$0].at && now - beats[$0].at > Self.maxSilenceMs }
    }
  }

  /// What is not ready.
  func failedChecks() -> [FailedCheck] {
    (server.withLock { $0.unreadiness }.map { [$0] } ?? []) + readiness()
  }

  /// The text of the metrics page.
  func metricsPage() -> String {
    page(beats.withLock { $0.map(\.metrics) }, failedChecks().isEmpty)
  }

  /// Whether an address may read the metrics.
  func allows(_ peer: SocketAddress) -> Bool { allowed.contains { $0.contains(peer) } }
}
