import TestSupport
import Testing

@testable import Observability

@Test func `handshakes are counted by outcome and version, and each has a label of its own`() {
  var counts = TLSCounts()
  for outcome in TLSCounts.Outcome.allCases + [.full] { counts.count(outcome) }
  counts.count(.v13)
  counts.merge(counts)
  for outcome in TLSCounts.Outcome.allCases { expectEqual(counts.handshakes(outcome), outcome == .full ? 4 : 2, outcome.label) }
  expectEqual(TLSCounts.Version.allCases.map { counts.handshakes($0) }, [0, 2])
  expectEqual(Set(TLSCounts.Outcome.allCases.map(\.label)).count, TLSCounts.Outcome.allCases.count, "labels of outcomes")
  expectEqual(TLSCounts.Version.allCases.map(\.label), ["1.2", "1.3"])
}

@Test func `the page tells of TLS, and of the certificate where there is one`() {
  let names = MetricsPage.Names(methods: [], topicKinds: [])
  var loop = LoopMetrics(methods: 0, topicKinds: 0)
  loop.tls.count(.resumed)
  loop.tls.count(.v12)
  var figures = MetricsPage.Figures()
  figures.loops = [loop, loop]
  let without = MetricsPage.render(figures, names: names)
  figures.certificate = CertificateFigures(expiresAt: 1_800_000_000, reloadFailures: 3)
  let lines = Set(MetricsPage.render(figures, names: names).split(separator: "\n").map(String.init))
  for line in [
    "parley_tls_handshakes_total{outcome=\"resumed\"} 2", "parley_tls_handshakes_total{outcome=\"full\"} 0",
    "parley_tls_connections_total{version=\"1.2\"} 2", "parley_tls_reload_failures_total 3",
    "parley_tls_certificate_expires_seconds 1800000000",
  ] { expect(lines.contains(line), line) }
  expect(without.contains("parley_tls_handshakes_total") && !without.contains("certificate"), "none is shown")
}
