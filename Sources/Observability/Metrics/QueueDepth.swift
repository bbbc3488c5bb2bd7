/// What waits to be sent on connections whose sockets take no more.
package struct QueueDepth: Sendable, Equatable {
  /// Connections whose socket takes no more for now.
  package private(set) var connections: UInt64 = 0
  /// Bytes that wait on all of them.
  package private(set) var bytes: UInt64 = 0
  /// Bytes that wait on the one with the most.
  package private(set) var largest: UInt64 = 0

  /// Nothing waits.
  package init() {}

  /// A connection has bytes to send and cannot.
  package mutating func add(bytes count: Int) {
    let count = UInt64(clamping: count)
    connections &+= 1
    bytes &+= count
    largest = max(largest, count)
  }

  mutating func merge(_ other: QueueDepth) {
    connections &+= other.connections
    bytes &+= other.bytes
    largest = max(largest, other.largest)
  }
}
