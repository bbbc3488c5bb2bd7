/// Settings that work and that an operator may still regret.
package enum StartWarning: Sendable, Equatable, CaseIterable {
  /// Clients may write what a backend with a key usually writes.
  case clientsMayWrite
  /// Everybody who reaches the gateway gets in, and everybody can reach it.
  case guestsFromOutside
  /// Many proxies cut a connection that is quiet for a minute.
  case slowHeartbeat

  /// The warnings that settings deserve.
  package static func warnings(for settings: Settings) -> [StartWarning] {
    let isReachable = settings.server.listen.contains { ListenAddress($0)?.isReachableFromOutside ?? true }
    return allCases.filter { warning in
      switch warning {
      case .clientsMayWrite: (settings.sync.conversations || settings.sync.users) && settings.auth.hasKey && isReachable
      case .guestsFromOutside: settings.auth.guests == true && isReachable
      case .slowHeartbeat: settings.server.heartbeatMs >= 55_000
      }
    }
  }

  /// The sentence of the log.
  package var sentence: String {
    switch self {
    case .clientsMayWrite:
      "clients may change conversations, participants or their own user record; "
        + "where a backend does that, set sync.conversations and sync.users to false"
    case .guestsFromOutside: "auth.guests is on and other machines can connect: anybody who reaches this address gets in"
    case .slowHeartbeat:
      "server.heartbeatMs is 55 s or more, and many proxies cut a connection that is quiet for 60 s; use less"
    }
  }
}
