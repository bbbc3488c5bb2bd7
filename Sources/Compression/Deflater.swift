import CZlib

/// A raw deflate stream (RFC 1951) that compresses one message after the other as RFC 7692 §7.2.1 wants them.
package final class Deflater {
  private let keepsContext: Bool
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the next message may not refer to what came before.
  private var mustReset = false

  /// Opens a stream.
  ///
  /// A window of 8 bits is asked of zlib as 9: it refers back over at most the window less 262 bytes, so over 250, which a peer with
  /// 256 can follow. Level 1 against zlib's 6, on JSON of this gateway: 10 µs against 12 for a reply of 564 bytes that becomes 330 or
  /// 324, 25 against 47 for a snapshot of 5.7 KB (1,292, 1,230), 180 against 690 for one of 55 KB (9.2 KB, 8.5 KB). A reset clears the
  /// hash table, so small windows get a small one: with 8 instead of 5 a window of 10 bits takes twice as long.
  ///
  /// - Parameters:
  ///   - windowBits: The window, 8 to 15; beyond that it is cut to the nearest.
  ///   - keepsContext: Whether a message refers to those before it (context takeover). A kept stream costs 39 KB with 12 bits.
  /// - Returns: Nil where there is no memory.
  package init?(windowBits: Int, keepsContext: Bool) {
    let bits = min(max(windowBits, 9), 15)
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_raw_deflate_init(stream, 1, CInt(bits), bits <= 12 ? 5 : 8) == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.keepsContext = keepsContext
    self.stream = stream
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses a whole message, with an empty stored block at its end of which the last four bytes are left out (RFC 7692 §7.2.1).
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - output: Where the result goes.
  /// - Returns: The result in `output`, or nil where it would not be smaller: then the message is sent as it is, and the next one refers to
  ///   nothing before it.
  package func compress(_ message: UnsafeRawBufferPointer, into output: OutputBuffer) -> UnsafeRawBufferPointer? {
    if mustReset, deflateReset(stream) != Z_OK { return nil }
    mustReset = true
    guard let written = write(message, into: output), Self.endsWithMarker(output.bytes(written)) else { return nil }
    mustReset = !keepsContext
    return output.bytes(written - Self.markerBytes)
  }

  /// The peer got a message that did not come through this stream: the next one refers to nothing before it.
  package func forgetContext() { mustReset = true }

  /// The empty stored block behind its header, which ends every message and is not sent.
  static let marker = UInt32(bigEndian: 0x0000_FFFF)
  private static let markerBytes = 4

  private static func endsWithMarker(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= markerBytes && bytes.loadUnaligned(fromByteOffset: bytes.count - markerBytes, as: UInt32.self) == marker
  }

  private func write(_ message: UnsafeRawBufferPointer, into output: OutputBuffer) -> Int? {
    guard let size = UInt32(exactly: message.count) else { return nil }
    // One byte less than the message, and the marker. Counts of bytes in memory do not overflow.
    let most = message.count - 1 + Self.markerBytes
    stream.pointee.next_in = UnsafeMutablePointer(mutating: message.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = size
    defer {
      stream.pointee.next_in = nil
      stream.pointee.next_out = nil
    }
    var written = 0
    while true {
      if written >= output.capacity, !output.grow(atMost: most) { return nil }
      let room = output.room(from: written, atMost: most)
      guard !room.isEmpty else { return nil }
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(clamping: room.count)
      let given = Int(stream.pointee.avail_out)
      let code = deflate(stream, Z_SYNC_FLUSH)
      written += given - Int(stream.pointee.avail_out)
      // No progress is possible where the flush ended with the room before.
      guard code == Z_OK || code == Z_BUF_ERROR else { return nil }
      if stream.pointee.avail_out > 0 { return written }
    }
  }
}
