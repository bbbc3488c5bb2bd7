import ChatEngine
import Configuration
import Files
import Gateway
import Glibc
import Observability
import SQLiteStore
import Transport

/// `parley serve`: the gateway.
enum ServeCommand {
  static func run(config: String?, listen: [String], data: String?, tls: TLSSettings) async -> ExitCode {
    let overrides =
      (listen.isEmpty ? [] : [.listen(listen)]) + (data.map { [SettingsReader.Override.data($0)] } ?? [])
      + SettingsReader.Override.tls(tls)
    switch Surroundings.settings(file: config, overrides: overrides) {
    case .failure(let problems):
      StandardStreams.error(problems.description)
      return .failure
    case .success(let settings):
      let log = LogOutput(settings.log)
      do {
        try await serve(settings, log, reread: { Surroundings.settings(file: config, overrides: overrides, at: .reload) })
        log.finish()
        return .success
      } catch let failure as StartFailure {
        log.logger.log(.error, "cannot start", failure.sentence)
      } catch {
        log.logger.log(.error, "cannot start", "\(error)")
      }
      log.finish()
      return .failure
    }
  }

  private static func serve(
    _ settings: Settings, _ log: LogOutput, reread: @escaping @Sendable () -> Result<Settings, ConfigurationProblems>
  ) async throws {
    let started = SQLiteStore.systemTime()
    for warning in StartWarning.warnings(for: settings) { log.logger.log(.warn, "configuration", warning.sentence) }
    ProcessMemory.returnLargePieces()
    let descriptors = try DescriptorLimit.raise()
    let keys = try Keys(settings.auth, at: .start)
    let certificate = try CertificateUpkeep.of(settings.server.tls, log: log.logger)
    let addresses = try settings.server.listen.map { try SocketAddress.parse($0) }
    let count = settings.server.loops > 0 ? settings.server.loops : ProcessorCount.usable
    var storeSettings = SQLiteStoreSettings()
    storeSettings.dedupeDays = settings.messages.dedupeDays
    storeSettings.unusedFileHours = settings.files.unusedHours
    let store = try SQLiteStore(folder: settings.store.data, settings: storeSettings)
    defer { store.close() }
    let files = try Assembly.fileFolder(settings, store)
    let sockets = try ListeningSockets(addresses, loops: count)
    let metricsSockets = try settings.metrics.listen.map { try ListeningSockets([try SocketAddress.parse($0)], loops: 1) }
    var loops: [EventLoop] = []
    for index in 0..<count { loops.append(try EventLoop(index: index)) }
    let probe = StoreProbe(store, log: log.logger)
    let process = ProcessProbe(startedAt: started, descriptors: descriptors)
    let figures = FigureSources(
      store: { store.statistics().metrics(with: files.figures()) }, log: log.counts, process: process.figures,
      certificate: { certificate?.figures })
    let services = try Assembly.services(
      settings, keys, store, probe, figures, files: files, addresses: sockets.addresses, loops: count, descriptors: descriptors,
      log: log.logger)
    let stop = StopSignal()
    let reload = ReloadCommand(settings, services, certificate, guestKey: store.guestKey, log, reread: reread)
    let signals = SignalWatcher { signal in heard(signal, stop, services, reload) }
    let server = try await GatewayServer.start(
      services: services, store: store, sockets: sockets, metrics: metricsSockets, tls: certificate?.source, loops: loops)
    announce(server, settings, descriptors, log.logger)
    await stop.wait()
    log.logger.log(.info, "draining", "no new connections; a second signal ends at once")
    await server.drain()
    withExtendedLifetime((signals, probe, process)) {}
    log.logger.log(.info, "stopped")
  }

  private static func announce(_ server: GatewayServer, _ settings: Settings, _ descriptors: DescriptorLimit, _ log: Logger) {
    let scheme = settings.server.tls.certificate == nil ? "http" : "https"
    for address in server.addresses {
      let page = if case .unix = address { "" } else { "the chat page is at \(scheme)://\(address)/" }
      log.log(
        .info, "listening", page,
        [
          LogField("address", .text(address.description)), LogField("scheme", .text(scheme)),
          LogField("version", .text(VersionCommand.version)),
          LogField("data", .text(settings.store.data)),
          LogField("guests", .flag(server.services.reloadable.guests != .refused)),
          LogField("descriptors", .integer(Int64(clamping: descriptors.soft))),
        ])
    }
  }

  private static func heard(_ signal: CInt, _ stop: StopSignal, _ services: GatewayServices, _ reload: ReloadCommand) {
    guard signal != SIGHUP else { return reload.run() }
    switch services.monitoring.stopRequested() {
    case .drain: stop.raise()
    // Other threads run on: nothing may be torn down under them.
    case .endAtOnce: _exit(ExitCode.failure.rawValue)
    case .nothing: break
    }
  }
}
