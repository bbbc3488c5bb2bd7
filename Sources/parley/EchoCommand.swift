import Configuration
import Gateway
import Glibc
import Transport

/// `parley echo`: a bare WebSocket echo on the connection stack of the gateway.
enum EchoCommand {
  static func run(listen: [String], loops wanted: Int?) async -> ExitCode {
    do {
      _ = try? DescriptorLimit.raise()
      let addresses = try (listen.isEmpty ? ["127.0.0.1:8080"] : listen).map { try SocketAddress.parse($0) }
      let count = wanted ?? 1
      let sockets = try ListeningSockets(addresses, loops: count)
      var loops: [EventLoop] = []
      for index in 0..<count { loops.append(try EventLoop(index: index)) }
      let stopped = StopSignal()
      let signals = SignalWatcher([SIGTERM, SIGINT]) { _ in stopped.raise() }
      try await EchoServer.start(sockets: sockets, loops: loops)
      for address in sockets.addresses { StandardStreams.error("echo on ws://\(address)/") }
      await stopped.wait()
      withExtendedLifetime(signals) {}
      return .success
    } catch {
      StandardStreams.error("\(error)")
      return .failure
    }
  }
}
