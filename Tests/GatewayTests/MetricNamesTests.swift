import ChatModel
import FoundationEssentials
import GatewayProtocol
import Observability
import TestSupport
import Testing

/// The metrics page with every series that it can have, as families of labels and their values.
private struct MetricsCatalogue {
  /// The values of each label, by the name of a series.
  private(set) var labels: [String: [String: Set<String>]] = [:]
  /// The names of the families, as `# TYPE` has them.
  private(set) var families: Set<String> = []

  init() {
    let names = MetricsPage.Names(methods: Method.allCases.map(\.name), topicKinds: TopicKind.allCases.map(\.rawValue))
    var loop = LoopMetrics(methods: names.methods.count, topicKinds: names.topicKinds.count)
    for method in [nil] + Method.allCases.map(\.index) { loop.operations.record(method: method, .ok, microseconds: 1) }
    var figures = MetricsPage.Figures()
    figures.loops = [loop]
    figures.certificate = CertificateFigures(expiresAt: 1, reloadFailures: 1)
    figures.build = BuildFigures(version: "1", commit: "a", swift: "6")
    for line in MetricsPage.render(figures, names: names).split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        families.insert(String(line.split(separator: " ")[2]))
      } else if !line.hasPrefix("#") {
        let name = String(line.prefix { $0 != "{" && $0 != " " })
        labels[name, default: [:]].merge(Self.matchers(line).mapValues { [$0] }) { $0.union($1) }
      }
    }
  }

  /// `name="value"` wherever it stands in a text.
  private static func matchers(_ text: some StringProtocol) -> [String: String] {
    String(text).matches(of: /([a-z_]+)="([^"]*)"/).reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
  }

  /// Labels that Prometheus adds to every series.
  private static let added: Set<String> = ["job", "instance"]

  /// What a query asks for that the page does not have.
  func unknown(in query: String) -> [String] {
    var problems: [String] = []
    var known = Self.added
    for series in query.matches(of: /\b((?:parley|process)_[a-z_]+)\b(?:\{([^}]*)\})?/) {
      guard let labels = labels[String(series.1)] else {
        problems.append("no metric \(series.1)")
        continue
      }
      known.formUnion(labels.keys)
      for matcher in (series.2 ?? "").matches(of: /([a-z_]+)(=~|!=|!~|=)"([^"]*)"/) where !Self.added.contains(String(matcher.1)) {
        guard let values = labels[String(matcher.1)] else {
          problems.append("\(series.1) has no label \(matcher.1)")
          continue
        }
        for value in matcher.3.split(separator: "|") where !values.contains(String(value)) {
          problems.append("\(series.1) has no \(matcher.1) \(value)")
        }
      }
    }
    for grouping in query.matches(of: /\b(?:by|on|without|ignoring) *\(([^)]*)\)/) {
      for label in grouping.1.split(whereSeparator: { ", ".contains($0) }) where !known.contains(String(label)) {
        problems.append("nothing in it has the label \(label)")
      }
    }
    return problems
  }

  /// Every label that some series has.
  var allLabels: Set<String> { labels.values.reduce(into: Self.added) { $0.formUnion($1.keys) } }
}

/// The repository, found from this source file.
private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// A file of the repository.
private func text(of path: String) throws -> String {
  try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
}

@Test func `the check finds what the page does not have`() {
  let catalogue = MetricsCatalogue()
  let cases: [(String, Int)] = [
    ("sum by (cause) (rate(parley_connections_closed_total{cause=~\"drained|revoked\"}[5m]))", 0), ("parley_nothing", 1),
    ("parley_operation_seconds", 1), ("rate(parley_operation_seconds_bucket{le=\"0.1\"}[5m])", 0), ("parley_ready{user=\"a\"}", 1),
    ("parley_connections_closed_total{cause=\"boredom\"}", 1), ("sum by (user) (parley_ready)", 1), ("sum by (le) (parley_ready)", 1),
    ("process_open_fds{job=\"x\"} / process_max_fds", 0),
  ]
  for (query, count) in cases { expectEqual(catalogue.unknown(in: query).count, count, query) }
}

@Test func `the dashboard and the alerts name only what the page has`() throws {
  let catalogue = MetricsCatalogue()
  let dashboard = try text(of: "config/grafana-dashboard.json")
  let strings = dashboard.matches(of: /"(expr|query)": "((?:[^"\\]|\\.)*)"/).map { $0.2.replacing("\\\"", with: "\"") }
  let alerts = try text(of: "config/prometheus-alerts.yml")
  let rules = alerts.matches(of: /expr: (.*)/).map { String($0.1) }
  expectEqual(rules.count, alerts.matches(of: /- alert:/).count, "a line with the query of each alert")
  expect(strings.count > 40 && rules.count > 10, "\(strings.count) queries, \(rules.count) rules")
  for query in strings.map({ String($0) }) + rules { expectEqual(catalogue.unknown(in: query), [], query) }
  for legend in dashboard.matches(of: /\{\{ *([a-z_]+) *\}\}/) {
    expect(catalogue.allLabels.contains(String(legend.1)), "a legend with \(legend.1)")
  }
  // Each family is shown somewhere.
  for family in catalogue.families.sorted() { expect(dashboard.contains(family), "\(family) is on the dashboard") }
}

@Test func `the operator's page explains each metric, cause and outcome, and none that there is not`() throws {
  let catalogue = MetricsCatalogue()
  let page = try text(of: "docs/operations.md")
  for family in catalogue.families.sorted() { expect(page.contains("`\(family)`"), "docs/operations.md explains \(family)") }
  for named in page.matches(of: /`((?:parley|process)_[a-z_]+)`/) {
    expect(catalogue.families.contains(String(named.1)), "docs/operations.md names \(named.1)")
  }
  let words =
    CloseCause.allCases.map(\.label) + OperationOutcome.allCases.map(\.label) + SessionCounts.Refusal.allCases.map(\.label)
  for word in words { expect(page.contains("`\(word)`"), "docs/operations.md explains \(word)") }
  for cause in CloseCause.allCases {
    guard let code = cause.closeCode else { continue }
    expect(page.contains("\(code)"), "docs/operations.md names the close code \(code)")
  }
}

@Test func `the operator's page has every event of the log under its level`() throws {
  let page = try text(of: "docs/operations.md")
  let rows = page.split(separator: "\n").reduce(into: [Substring: Substring]()) { rows, line in
    for level in LogLevel.allCases where line.hasPrefix("| \(level.word) |") { rows[Substring(level.word)] = line }
  }
  var events = 0
  for file in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources") where file.hasSuffix(".swift") {
    let source = try text(of: "Sources/\(file)")
    for call in source.matches(of: /\.log\(\s*\.(error|warn|info|debug), "([^"]+)"/) {
      events += 1
      expect(rows[call.1]?.contains("`\(call.2)`") == true, "docs/operations.md has \(call.2) at level \(call.1) (\(file))")
    }
  }
  expect(events > 10, "\(events) events were found")
}
