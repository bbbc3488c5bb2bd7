/// What became of TLS handshakes.
package struct TLSCounts: Sendable, Equatable {
  /// How a handshake ended.
  package enum Outcome: UInt8, Sendable, CaseIterable {
    /// Done, with a certificate shown.
    case full
    /// Done, with the ticket of an earlier session.
    case resumed
    /// A plain HTTP request came.
    case plainHTTP
    /// Something else came that is not TLS.
    case notTLS
    /// The client offers other protocols than HTTP/1.1 by ALPN.
    case noCommonProtocol
    /// The client is too old.
    case noCommonVersion
    /// No cipher is known to both.
    case noCommonCipher
    /// The client gave up with an alert, for example because it does not trust the certificate.
    case peerAlert
    /// What came cannot be understood.
    case malformed
    /// It was not done in time.
    case timedOut
    /// The client went away.
    case abandoned
    /// TLS came where none is spoken.
    case onPlainAddress

    /// The label in metrics.
    package var label: String {
      switch self {
      case .full: "full"
      case .resumed: "resumed"
      case .plainHTTP: "plain_http"
      case .notTLS: "not_tls"
      case .noCommonProtocol: "no_common_protocol"
      case .noCommonVersion: "no_common_version"
      case .noCommonCipher: "no_common_cipher"
      case .peerAlert: "peer_alert"
      case .malformed: "malformed"
      case .timedOut: "timed_out"
      case .abandoned: "abandoned"
      case .onPlainAddress: "on_plain_address"
      }
    }
  }

  /// A version that is spoken.
  package enum Version: UInt8, Sendable, CaseIterable {
    case v12, v13

    /// The label in metrics.
    package var label: String {
      switch self {
      case .v12: "1.2"
      case .v13: "1.3"
      }
    }
  }

  /// By `Outcome.rawValue`.
  private var handshakes = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// By `Version.rawValue`.
  private var versions = [UInt64](repeating: 0, count: Version.allCases.count)

  /// Nothing counted yet.
  package init() {}

  /// A handshake ended.
  package mutating func count(_ outcome: Outcome) { handshakes[Int(outcome.rawValue)] &+= 1 }

  /// A handshake was done in a version.
  package mutating func count(_ version: Version) { versions[Int(version.rawValue)] &+= 1 }

  /// Handshakes that ended so.
  package func handshakes(_ outcome: Outcome) -> UInt64 { handshakes[Int(outcome.rawValue)] }

  /// Handshakes that were done in a version.
  package func handshakes(_ version: Version) -> UInt64 { versions[Int(version.rawValue)] }

  mutating func merge(_ other: TLSCounts) {
    for index in handshakes.indices { handshakes[index] &+= other.handshakes[index] }
    for index in versions.indices { versions[index] &+= other.versions[index] }
  }
}
