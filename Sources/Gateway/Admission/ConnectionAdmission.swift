import Locks

/// The counts of all loops together: a client may use any of them.
package final class ConnectionAdmission: Sendable {
  private let countsNetworks: Bool
  private let counts: Lock<AdmissionCounts>

  /// Admission within limits; 0 is no limit.
  package init(_ limits: ConnectionLimits) {
    countsNetworks = limits.maxPerAddress > 0
    counts = Lock(AdmissionCounts(maxConnections: limits.maxConnections, maxPerNetwork: limits.maxPerAddress))
  }

  /// A socket was accepted; says whether it is within the limit.
  func opened() -> Bool { counts.withLock { $0.opened() } }

  /// A client wants to be upgraded; nil where its network has too many connections, else what is to be given back at its end.
  func admit(_ network: ClientNetwork?) -> Place? {
    guard countsNetworks, let network else { return Place(network: nil) }
    return counts.withLock { $0.admitted(network) } ? Place(network: network) : nil
  }

  /// A connection was freed.
  ///
  /// - Parameters:
  ///   - isWithinLimit: What `opened()` said of it.
  ///   - place: What `admit(_:)` gave it.
  func closed(isWithinLimit: Bool, _ place: Place?) {
    guard isWithinLimit || place?.network != nil else { return }
    counts.withLock { counts in
      if isWithinLimit { counts.closed() }
      if let network = place?.network { counts.left(network) }
    }
  }

  /// What an upgraded connection takes up.
  struct Place: Equatable {
    /// The network it counts for; nil where networks are not counted.
    fileprivate let network: ClientNetwork?
  }
}
