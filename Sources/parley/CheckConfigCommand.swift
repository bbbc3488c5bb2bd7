import Configuration
import TLS

/// `parley check-config`: every problem of a configuration at once.
enum CheckConfigCommand {
  private static func checkCertificate(_ settings: TLSSettings) throws(StartFailure) {
    guard let files = CertificateFiles(settings) else { return }
    do throws(CredentialProblem) { _ = try CertificateReloader(files, now: 0) } catch { throw StartFailure(error.sentence) }
  }

  static func run(file: String?, print: Bool) -> ExitCode {
    switch Surroundings.settings(file: file) {
    case .failure(let problems):
      StandardStreams.error(problems.description)
      return .failure
    case .success(let settings):
      do throws(StartFailure) {
        _ = try Keys(settings.auth)
        try checkCertificate(settings.server.tls)
      } catch {
        StandardStreams.error(error.sentence)
        return .failure
      }
      for warning in StartWarning.warnings(for: settings) { StandardStreams.error("warning: \(warning.sentence)") }
      return StandardStreams.result(print ? SettingsPrinter.effective(settings) : "The configuration is good")
    }
  }
}
