import Configuration
import Dispatch
import Gateway
import Observability
import SQLiteStore
import TLS

/// Keeps the certificate of a server as its files are: it looks at them every two seconds, and reads them when it is told to.
///
/// On a queue of its own, so that no loop waits for a disk; loops take the context that is there.
final class CertificateUpkeep: Sendable {
  private let reloader: CertificateReloader
  private let log: Logger
  private let queue = DispatchQueue(label: "parley.certificate")

  private static let interval = DispatchTimeInterval.seconds(2)
  /// A certificate that ends so soon is worth a warning; seconds.
  private static let shortLife: Int64 = 14 * 86_400

  /// Reads the files for the first time.
  init(_ files: CertificateFiles, log: Logger) throws(StartFailure) {
    do throws(CredentialProblem) { reloader = try CertificateReloader(files, now: Self.now()) } catch {
      throw StartFailure(error.sentence)
    }
    self.log = log
    if let certificate = reloader.context.certificate { tell(certificate) }
    lookLater()
  }

  /// What the settings ask for; nil where no TLS is spoken.
  static func of(_ settings: TLSSettings, log: Logger) throws(StartFailure) -> CertificateUpkeep? {
    guard let files = CertificateFiles(settings) else { return nil }
    return try CertificateUpkeep(files, log: log)
  }

  /// What new sessions of a loop use.
  var source: TLSWorkspace.Source { { [reloader] in reloader.context } }

  /// What the metrics page tells.
  var figures: CertificateFigures? {
    reloader.context.certificate.map { CertificateFigures(expiresAt: $0.expiresAt, reloadFailures: reloader.failures) }
  }

  /// Reads the files of new settings, and waits for that; settings without any leave those that are read.
  func reload(_ settings: TLSSettings) throws(StartFailure) {
    let files = CertificateFiles(settings)
    let outcome = queue.sync { reloader.reload(files) }
    tell(outcome)
    if case .refused(let problem) = outcome { throw StartFailure(problem.sentence) }
  }

  private func lookLater() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self else { return }
      if let outcome = reloader.check(now: Self.now()) { tell(outcome) }
      lookLater()
    }
  }

  private func tell(_ outcome: CertificateReloader.Outcome) {
    switch outcome {
    case .replaced(let certificate): tell(certificate)
    case .refused(let problem): log.log(.error, "certificate refused", "\(problem.sentence); the old one stays")
    }
  }

  private func tell(_ certificate: CertificateSummary) {
    let remaining = certificate.expiresAt - Self.now()
    log.log(
      remaining < Self.shortLife ? .warn : .info, "certificate",
      remaining < 0 ? "it has expired: clients will refuse it" : remaining < Self.shortLife ? "it expires soon" : "",
      [LogField("serial", .text(certificate.serial)), LogField("expires", .text(ISOTime.text(certificate.expiresAt * 1_000)))])
  }

  private static func now() -> Int64 { SQLiteStore.systemTime() / 1_000 }
}

extension CertificateFiles {
  /// The files of settings that are whole; nil where no TLS is spoken.
  init?(_ settings: TLSSettings) {
    guard let certificate = settings.certificate, let key = settings.key else { return nil }
    self.init(certificate: certificate, key: key)
  }
}
