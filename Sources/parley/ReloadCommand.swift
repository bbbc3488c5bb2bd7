import Configuration
import Gateway
import Locks
import Observability

/// What SIGHUP does: reads the configuration again, takes over what may change while the gateway runs, and says what needs a restart.
final class ReloadCommand: Sendable {
  private let services: GatewayServices
  private let certificate: CertificateUpkeep?
  private let guestKey: [UInt8]
  private let log: LogOutput
  private let reread: @Sendable () -> Result<Settings, ConfigurationProblems>
  /// The settings that were read last.
  private let current: Lock<Settings>

  /// - Parameters:
  ///   - settings: What the gateway was started with.
  ///   - guestKey: The store's key, which no configuration changes.
  ///   - reread: Reads file, environment and flags again.
  init(
    _ settings: Settings, _ services: GatewayServices, _ certificate: CertificateUpkeep?, guestKey: [UInt8], _ log: LogOutput,
    reread: @escaping @Sendable () -> Result<Settings, ConfigurationProblems>
  ) {
    current = Lock(settings)
    self.services = services
    self.certificate = certificate
    self.guestKey = guestKey
    self.log = log
    self.reread = reread
  }

  /// Reloads, or refuses to as a whole: nothing changes by half.
  func run() {
    switch reread() {
    case .failure(let problems): log.logger.log(.error, "reload refused", problems.description)
    case .success(let settings):
      do throws(StartFailure) {
        // What may be refused comes first, then what cannot.
        let reloadable = try Assembly.reloadable(settings, try Keys(settings.auth, at: .reload), guestKey: guestKey)
        try certificate?.reload(settings.server.tls)
        services.reload(reloadable)
        log.reload(settings.log)
        tell(settings)
      } catch { log.logger.log(.error, "reload refused", error.sentence) }
    }
  }

  private func tell(_ settings: Settings) {
    let before = current.withLock { current in
      defer { current = settings }
      return current
    }
    let changed = SettingTable.changes(from: before, to: settings).map(\.path)
    // Another certificate is taken over, but not the first one or none: the listening sockets speak TLS or they do not.
    let switchesTLS = (before.server.tls.certificate == nil) != (settings.server.tls.certificate == nil)
    let reloaded = SettingTable.reloaded.filter { !switchesTLS || !$0.hasPrefix("server.tls.") }
    let waiting = changed.filter { !reloaded.contains($0) }
    log.logger.log(
      waiting.isEmpty ? .info : .warn, "reloaded", waiting.isEmpty ? "keys were read again" : "some of it needs a restart",
      [
        LogField("changed", .text(changed.filter { reloaded.contains($0) }.joined(separator: ","))),
        LogField("needs_restart", .text(waiting.joined(separator: ","))),
      ])
  }
}
