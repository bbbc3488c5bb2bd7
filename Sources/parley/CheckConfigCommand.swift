import Configuration
import TLS

/// `parley check-config`: every problem of a configuration at once.
enum CheckConfigCommand {
  static func run(file: String?, print: Bool) -> ExitCode {
    var lines: [String] = []
    let settings: Settings
    switch Surroundings.settings(file: file) {
    case .success(let read): settings = read
    case .failure(let problems):
      lines.append(problems.description)
      settings = problems.settings
    }
    // Files are looked at too, whatever else is wrong.
    lines += Keys.problems(of: settings.auth) + certificateProblems(of: settings.server.tls)
    guard lines.isEmpty else {
      StandardStreams.error(lines.joined(separator: "\n"))
      return .failure
    }
    for warning in StartWarning.warnings(for: settings) { StandardStreams.error("warning: \(warning.sentence)") }
    return StandardStreams.result(print ? SettingsPrinter.effective(settings) : "The configuration is good")
  }

  private static func certificateProblems(of settings: TLSSettings) -> [String] {
    guard let files = CertificateFiles(settings) else { return [] }
    do throws(CredentialProblem) { _ = try CertificateReloader(files, now: 0) } catch { return [error.sentence] }
    return []
  }
}
