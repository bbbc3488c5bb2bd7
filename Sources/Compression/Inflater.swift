import CZlib

/// A raw deflate stream (RFC 1951) that inflates one message after the other as RFC 7692 §7.2.2 wants it.
package final class Inflater {
  private let keepsContext: Bool
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the next message may not refer to what came before.
  private var mustReset = false

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - windowBits: How far back messages may refer, as the power of two, 8 to 15; beyond that it is cut to the nearest.
  ///   - keepsContext: Whether a message refers to those before it (context takeover). A kept stream costs 12 KB with 12 bits.
  /// - Returns: Nil where there is no memory.
  package init?(windowBits: Int, keepsContext: Bool) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Some compressors that are told 8 bits use 9, as zlib did.
    guard czlib_raw_inflate_init(stream, CInt(min(max(windowBits, 9), 15))) == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.keepsContext = keepsContext
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates a whole message.
  ///
  /// Memory follows what comes out, and ends one byte behind the limit. A block with BFINAL ends nothing: what follows it is read on with
  /// the same window (RFC 7692 §7.2.3.4). An empty payload counts as an empty message.
  ///
  /// - Parameters:
  ///   - message: The payload without the four bytes that its sender left out.
  ///   - limit: The most bytes that may come out.
  ///   - output: Where they go.
  /// - Returns: The result in `output`.
  package func inflate(
    _ message: UnsafeRawBufferPointer, limit: Int, into output: OutputBuffer
  ) throws(InflateFailure) -> UnsafeRawBufferPointer {
    if mustReset, inflateReset(stream) != Z_OK { throw .malformed }
    mustReset = true
    var written = 0
    defer {
      stream.pointee.next_in = nil
      stream.pointee.next_out = nil
    }
    if !message.isEmpty, try !take(message, &written, limit, output) {
      try withUnsafeBytes(of: Deflater.marker) { marker throws(InflateFailure) in try finish(marker, &written, limit, output) }
    }
    mustReset = !keepsContext
    return output.bytes(written)
  }

  /// Takes the bytes that the sender left out; behind them a message stands between two blocks.
  private func finish(
    _ marker: UnsafeRawBufferPointer, _ written: inout Int, _ limit: Int, _ output: OutputBuffer
  ) throws(InflateFailure) {
    let isEnded = try take(marker, &written, limit, output)
    guard isEnded || stream.pointee.data_type & Self.isBetweenBlocks != 0 else { throw .malformed }
  }

  /// The bit of `data_type` with which zlib says so (zlib.h at `inflate`).
  private static let isBetweenBlocks: CInt = 128

  /// Takes bytes to their end; says whether they end with a block that has BFINAL.
  private func take(
    _ input: UnsafeRawBufferPointer, _ written: inout Int, _ limit: Int, _ output: OutputBuffer
  ) throws(InflateFailure) -> Bool {
    guard let size = UInt32(exactly: input.count) else { throw .tooLong(limit: limit) }
    // One byte of room more shows that a message is longer than it may be.
    let most = limit < Int.max ? max(0, limit) + 1 : limit
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = size
    var isEnded = false
    while true {
      if written >= output.capacity, !output.grow(atMost: most) { throw .outOfMemory }
      let room = output.room(from: written, atMost: most)
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(clamping: room.count)
      let given = Int(stream.pointee.avail_out)
      let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
      written += given - Int(stream.pointee.avail_out)
      guard written <= limit else { throw .tooLong(limit: limit) }
      switch code {
      case Z_OK: isEnded = false
      case Z_STREAM_END:
        isEnded = true
        // Keeps the window, unlike `inflateReset`.
        guard inflateResetKeep(stream) == Z_OK else { throw .malformed }
      // Nothing to take, and nothing waits to be written.
      case Z_BUF_ERROR: break
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .malformed
      }
      if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return isEnded }
    }
  }
}
