/// Messages that travel compressed, with their bytes as messages and on the wire, without frame headers.
package struct CompressionCounts: Sendable, Equatable {
  /// One direction's numbers.
  package struct Direction: Sendable, Equatable {
    /// Compressed messages.
    package private(set) var messages: UInt64 = 0
    /// Their bytes as messages.
    package private(set) var messageBytes: UInt64 = 0
    /// Their bytes on the wire.
    package private(set) var wireBytes: UInt64 = 0

    /// A message went.
    package mutating func add(message: Int, wire: Int) {
      messages &+= 1
      messageBytes &+= UInt64(clamping: message)
      wireBytes &+= UInt64(clamping: wire)
    }

    mutating func merge(_ other: Direction) {
      messages &+= other.messages
      messageBytes &+= other.messageBytes
      wireBytes &+= other.wireBytes
    }
  }

  /// What was received.
  package var received = Direction()
  /// What was sent.
  package var sent = Direction()

  /// Nothing counted yet.
  package init() {}

  mutating func merge(_ other: CompressionCounts) {
    received.merge(other.received)
    sent.merge(other.sent)
  }
}
