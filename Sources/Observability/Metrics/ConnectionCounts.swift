/// Connections opened, closed and refused.
package struct ConnectionCounts: Sendable, Equatable {
  /// The statuses that are counted by their own number; every other one is `other`.
  package static let statuses = [400, 401, 403, 404, 405, 408, 413, 414, 426, 429, 431, 500, 501, 503, 505]

  /// Connections accepted.
  package private(set) var opened: UInt64 = 0
  /// Connections ended, by `CloseCause.rawValue`.
  private var closed = [UInt64](repeating: 0, count: CloseCause.allCases.count)
  /// Refused handshakes by the index of their status, the last one being every other.
  private var refused = [UInt64](repeating: 0, count: statuses.count + 1)
  /// Connections turned away, by `ConnectionRefusal.rawValue`.
  private var turnedAway = [UInt64](repeating: 0, count: ConnectionRefusal.allCases.count)

  /// Nothing counted yet.
  package init() {}

  /// Connections that are open now.
  package var current: UInt64 {
    let ended = closed.reduce(0, &+)
    return opened > ended ? opened - ended : 0
  }

  /// A connection was accepted.
  package mutating func open() { opened &+= 1 }

  /// A connection ended.
  package mutating func close(_ cause: CloseCause) { closed[Int(cause.rawValue)] &+= 1 }

  /// A handshake was answered with an error status.
  package mutating func refuse(status: Int) {
    refused[Self.statuses.firstIndex(of: status) ?? Self.statuses.count] &+= 1
  }

  /// A connection was turned away for a reason.
  package mutating func refuse(_ reason: ConnectionRefusal) { turnedAway[Int(reason.rawValue)] &+= 1 }

  /// Connections that were turned away for a reason.
  package func refused(_ reason: ConnectionRefusal) -> UInt64 { turnedAway[Int(reason.rawValue)] }

  /// Connections that ended for a cause.
  package func closed(_ cause: CloseCause) -> UInt64 { closed[Int(cause.rawValue)] }

  /// Refused handshakes with the label of their status, in the order of the statuses.
  package var refusals: [(status: String, count: UInt64)] {
    let labels = Self.statuses.map { "\($0)" } + ["other"]
    return Array(zip(labels, refused)).map { (status: $0.0, count: $0.1) }
  }

  mutating func merge(_ other: ConnectionCounts) {
    opened &+= other.opened
    for index in closed.indices { closed[index] &+= other.closed[index] }
    for index in refused.indices { refused[index] &+= other.refused[index] }
    for index in turnedAway.indices { turnedAway[index] &+= other.turnedAway[index] }
  }
}
