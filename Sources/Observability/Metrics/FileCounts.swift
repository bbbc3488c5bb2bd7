/// Files that were uploaded and fetched.
package struct FileCounts: Sendable, Equatable {
  /// Which way a file went.
  package enum Direction: Int, Sendable, CaseIterable {
    case upload
    case download

    /// The label in metrics.
    package var label: String {
      switch self {
      case .upload: "upload"
      case .download: "download"
      }
    }
  }

  /// What became of it.
  package enum Outcome: Int, Sendable, CaseIterable {
    /// It is kept, or was sent.
    case done
    /// The client may not do this, or asked for what is not there.
    case refused
    /// The client went away, or was too slow.
    case broken
    /// The disk or the store failed, or the gateway stops.
    case failed

    /// The label in metrics.
    package var label: String {
      switch self {
      case .done: "done"
      case .refused: "refused"
      case .broken: "broken"
      case .failed: "failed"
      }
    }
  }

  private var transfers = [UInt64](repeating: 0, count: Direction.allCases.count * Outcome.allCases.count)
  private var bytes = [UInt64](repeating: 0, count: Direction.allCases.count)

  /// Nothing counted yet.
  package init() {}

  /// A request for a file is over.
  package mutating func end(_ direction: Direction, _ outcome: Outcome) { transfers[Self.index(direction, outcome)] &+= 1 }

  /// Bytes of a file's content came or went.
  package mutating func move(_ direction: Direction, bytes count: Int) {
    bytes[direction.rawValue] &+= UInt64(truncatingIfNeeded: count)
  }

  /// Requests that ended so.
  package func count(_ direction: Direction, _ outcome: Outcome) -> UInt64 { transfers[Self.index(direction, outcome)] }

  /// Bytes of contents.
  package func bytes(_ direction: Direction) -> UInt64 { bytes[direction.rawValue] }

  mutating func merge(_ other: FileCounts) {
    for index in transfers.indices { transfers[index] &+= other.transfers[index] }
    for index in bytes.indices { bytes[index] &+= other.bytes[index] }
  }

  private static func index(_ direction: Direction, _ outcome: Outcome) -> Int {
    direction.rawValue * Outcome.allCases.count + outcome.rawValue
  }
}
