import Configuration
import Gateway
import Glibc
import TLS
import Transport
import WebSocketProtocol

/// `parley echo`: a bare WebSocket echo on the connection stack of the gateway.
enum EchoCommand {
  static func run(listen: [String], loops wanted: Int?, tls: TLSSettings, keepsContexts: Bool) async -> ExitCode {
    do {
      _ = try? DescriptorLimit.raise()
      let addresses = try (listen.isEmpty ? ["127.0.0.1:8080"] : listen).map { try SocketAddress.parse($0) }
      let certificate = try CertificateFiles(tls).map { try CertificateReloader($0, now: 0) }
      let source: TLSWorkspace.Source? = if let certificate { { certificate.context } } else { nil }
      let count = wanted ?? 1
      let sockets = try ListeningSockets(addresses, loops: count)
      var loops: [EventLoop] = []
      for index in 0..<count { loops.append(try EventLoop(index: index)) }
      let stopped = StopSignal()
      let signals = SignalWatcher([SIGTERM, SIGINT]) { _ in stopped.raise() }
      try await EchoServer.start(sockets: sockets, loops: loops, tls: source, compression: DeflatePolicy(keepsContexts: keepsContexts))
      for address in sockets.addresses { StandardStreams.error("echo on \(certificate == nil ? "ws" : "wss")://\(address)/") }
      await stopped.wait()
      withExtendedLifetime(signals) {}
      return .success
    } catch let problem as CredentialProblem {
      StandardStreams.error(problem.sentence)
      return .failure
    } catch {
      StandardStreams.error("\(error)")
      return .failure
    }
  }
}
