import ChatModel
import GatewayProtocol
import Observability

/// Where the figures of the metrics page come from, apart from the loops.
struct FigureSources: Sendable {
  /// What the store did.
  let store: @Sendable () -> StoreMetrics
  /// What the log wrote.
  let log: @Sendable () -> LogCounts
  /// What the process uses.
  let process: @Sendable () -> ProcessFigures
  /// What is told of the certificate; nil where no TLS is spoken.
  let certificate: @Sendable () -> CertificateFigures?

  /// The closed lists of labels.
  static let names = MetricsPage.Names(methods: Method.allCases.map(\.name), topicKinds: TopicKind.allCases.map(\.rawValue))

  /// Renders the page.
  func page(_ loops: [LoopMetrics], isReady: Bool) -> String {
    var figures = MetricsPage.Figures()
    figures.loops = loops
    figures.store = store()
    figures.log = log()
    figures.process = process()
    figures.certificate = certificate()
    figures.build = BuildFigures(version: VersionCommand.version, commit: VersionCommand.commit, swift: VersionCommand.swift)
    figures.isReady = isReady
    return MetricsPage.render(figures, names: Self.names)
  }
}
