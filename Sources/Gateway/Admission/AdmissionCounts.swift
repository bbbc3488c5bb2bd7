/// Counts connections, in all and by the network of their client, and says which are too many.
///
/// The table has an entry only for networks that have a connection now, so it is never longer than the number of connections.
struct AdmissionCounts: Equatable {
  /// The most connections in all; 0 is no limit of its own.
  let maxConnections: Int
  /// The most upgraded connections of one network; 0 is no limit.
  let maxPerNetwork: Int
  /// Connections within the limit that are open.
  private(set) var connections = 0
  private var byNetwork: [ClientNetwork: Int] = [:]

  /// No connection yet.
  init(maxConnections: Int, maxPerNetwork: Int) {
    self.maxConnections = maxConnections
    self.maxPerNetwork = maxPerNetwork
  }

  /// How many networks are remembered.
  var networks: Int { byNetwork.count }

  /// A socket was accepted; says whether it is within the limit: only then it has to be told of its end.
  mutating func opened() -> Bool {
    guard maxConnections == 0 || connections < maxConnections else { return false }
    connections += 1
    return true
  }

  /// A socket that was within the limit was freed.
  mutating func closed() { connections = max(0, connections - 1) }

  /// A client wants to be upgraded; says whether its network has room: only then its end has to be told.
  mutating func admitted(_ network: ClientNetwork) -> Bool {
    let count = byNetwork[network, default: 0]
    guard count < maxPerNetwork else { return false }
    byNetwork[network] = count + 1
    return true
  }

  /// A client that was admitted is gone.
  mutating func left(_ network: ClientNetwork) {
    guard let count = byNetwork[network] else { return }
    byNetwork[network] = count > 1 ? count - 1 : nil
  }
}
