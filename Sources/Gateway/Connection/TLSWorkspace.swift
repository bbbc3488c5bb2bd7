package import TLS
package import Transport

/// What the TLS connections of a loop share: the context of new sessions, buffers, and the queue of handshakes.
///
/// The buffers are worth something only during one call of one connection, so an idle connection has none of its own.
package final class TLSWorkspace {
  /// Gives the context that new sessions use; called on the loop, so it must not wait.
  package typealias Source = @Sendable () -> TLSContext

  /// Where ciphertext is received.
  let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 64)
  /// Where small pieces of plaintext are gathered, so that they become one record.
  let record = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSSession.maxRecordBytes, alignment: 64)
  /// Where ciphertext is produced: one record, or a part of a handshake.
  let output = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead, alignment: 64)
  let source: Source
  let handshakes = HandshakeQueue()

  /// A workspace of a loop, which keeps its queue of handshakes going.
  package init(_ source: @escaping Source, on loop: isolated EventLoop) {
    self.source = source
    loop.own(handshakes)
  }

  deinit {
    input.deallocate()
    record.deallocate()
    output.deallocate()
  }
}
