import Compression
import WebSocketProtocol

/// How messages are compressed and inflated on a connection that agreed on permessage-deflate (RFC 7692).
///
/// Where a context is kept its stream is this codec's own, opened with the first message that needs it; else it is the loop's.
final class MessageCodec {
  /// Messages of fewer bytes are sent as they are: a packet is not smaller for a few bytes less, and compressing costs 10 µs.
  static let leastBytes = 256

  /// The window of what is sent, in bits.
  let windowBits: Int
  private let keepsSent: Bool
  /// The window of what is received where its context is kept, in bits.
  private let receivedWindowBits: Int?
  private var ownDeflater: Deflater?
  private var ownInflater: Inflater?

  init(_ agreement: DeflateAgreement) {
    windowBits = agreement.serverWindowBits
    keepsSent = agreement.serverKeepsContext
    receivedWindowBits = agreement.clientKeepsContext ? agreement.clientWindowBits : nil
  }

  /// Compresses a message that is sent next, into the pool's buffer; nil where it is to be sent as it is.
  func compress(_ message: UnsafeRawBufferPointer, with pool: DeflatePool) -> UnsafeRawBufferPointer? {
    guard message.count >= Self.leastBytes else { return nil }
    guard keepsSent else { return pool.deflater(windowBits: windowBits)?.compress(message, into: pool.compressed) }
    if ownDeflater == nil { ownDeflater = Deflater(windowBits: windowBits, keepsContext: true) }
    return ownDeflater?.compress(message, into: pool.compressed)
  }

  /// A frame is sent that was compressed elsewhere: the peer's window holds it and ours does not.
  func sentShared() { ownDeflater?.forgetContext() }

  /// Inflates a message that was received, into the pool's buffer.
  func inflate(_ message: UnsafeRawBufferPointer, limit: Int, with pool: DeflatePool) throws(InflateFailure) -> UnsafeRawBufferPointer {
    guard let inflater = inflater(pool) else { throw .outOfMemory }
    return try inflater.inflate(message, limit: limit, into: pool.inflated)
  }

  private func inflater(_ pool: DeflatePool) -> Inflater? {
    guard let receivedWindowBits else { return pool.inflater() }
    if ownInflater == nil { ownInflater = Inflater(windowBits: receivedWindowBits, keepsContext: true) }
    return ownInflater
  }
}
