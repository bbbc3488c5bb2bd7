import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct MonitoringTests {
  private static func monitoring(_ checks: [FailedCheck] = []) -> Monitoring {
    Monitoring(
      loops: 2, empty: LoopMetrics(methods: 1, topicKinds: 1), now: 1_000, allowed: [Network("10.0.0.1")].compactMap(\.self),
      readiness: { checks },
      page: { loops, isReady in loops.map { "\($0.connections.opened)" }.joined(separator: ",") + (isReady ? " ready" : "") })
  }

  @Test func `a loop that does not beat is told, and what loops counted`() throws {
    let monitoring = Self.monitoring()
    let limit = 1_000 + Monitoring.maxSilenceMs
    for (now, silent) in [(0, []), (1_000, []), (limit, []), (limit + 1, [0, 1])] as [(UInt64, [Int])] {
      expectEqual(monitoring.silentLoops(at: now), silent, "at \(now)")
    }
    var metrics = LoopMetrics(methods: 1, topicKinds: 1)
    metrics.connections.open()
    monitoring.beat(of: 1, metrics, at: limit)
    monitoring.beat(of: 7, metrics, at: limit)
    expectEqual(monitoring.silentLoops(at: limit + 1), [0], "one beats")
    expectEqual(monitoring.metricsPage(), "0,1", "the page")
    monitoring.started()
    expectEqual(monitoring.metricsPage(), "0,1 ready", "the page of one that serves")
    for (address, mayRead) in [("10.0.0.1:9", true), ("10.0.0.2:9", false), ("unix:/s", false)] {
      expectEqual(monitoring.allows(try SocketAddress.parse(address)), mayRead, "\(address) reads the metrics")
    }
  }

  @Test func `readiness is the server's and the store's`() {
    let store = FailedCheck(name: "store", reason: "full")
    let monitoring = Self.monitoring([store])
    expectEqual(monitoring.failedChecks(), [FailedCheck(name: "server", reason: "starting"), store], "starting")
    monitoring.started()
    expectEqual(monitoring.failedChecks(), [store], "serving")
    expectEqual(Self.monitoring().failedChecks().count, 1, "only the start is missing")
    expect(!monitoring.isDraining, "serving")
    expectEqual(monitoring.stopRequested(), .drain, "a signal")
    monitoring.drainBegan()
    expect(monitoring.isDraining, "draining")
    expectEqual(monitoring.failedChecks().first?.reason, "draining", "draining")
    expectEqual(monitoring.stopRequested(), .endAtOnce, "a second signal")
    monitoring.drainEnded()
    expectEqual(monitoring.failedChecks().first?.reason, "stopped", "stopped")
  }
}
