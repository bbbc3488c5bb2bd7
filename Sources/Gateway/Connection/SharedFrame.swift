import Compression
import Synchronization
import WebSocketProtocol

/// A whole text frame that many connections send, compressed for all of them by the first loop that has somebody who wants it so.
struct SharedFrame: Sendable {
  /// A frame with RSV1.
  final class Form: Sendable {
    /// Empty where it would not be smaller.
    let frame: [UInt8]
    /// Bytes of its payload.
    let payloadCount: Int

    init(frame: [UInt8] = [], payloadCount: Int = 0) {
      self.frame = frame
      self.payloadCount = payloadCount
    }
  }

  /// The compressed form, once somebody asked for it: set once and read without a lock.
  private final class Compressed: Sendable {
    let form = AtomicLazyReference<Form>()
  }

  /// The frame as it is where nothing else was agreed on.
  let plain: [UInt8]
  private let payload: Range<Int>
  /// Nil where it is never compressed.
  private let compressed: Compressed?

  /// Makes the frame of a text.
  ///
  /// - Parameters:
  ///   - text: The payload.
  ///   - mayBeCompressed: Whether anybody may get it compressed; one that is too short is not either.
  init(text: [UInt8], mayBeCompressed: Bool) {
    plain = FrameEncoder.frame(.text, text)
    payload = (plain.count - text.count)..<plain.count
    compressed = mayBeCompressed && text.count >= MessageCodec.leastBytes ? Compressed() : nil
  }

  /// The text itself.
  var text: [UInt8] { Array(plain[payload]) }

  /// How many bytes the text has.
  var textCount: Int { payload.count }

  /// The frame for a connection whose client inflates with a window; nil where it gets the plain one.
  ///
  /// No distance in a message is larger than the message, so a short one fits a window smaller than that of the stream. Loops that want it at
  /// the same time each compress it, and all send the form that was there first: none waits for another.
  func compressed(windowBits: Int, with pool: DeflatePool) -> Form? {
    guard let compressed, windowBits >= pool.sharedWindowBits || payload.count <= 1 << windowBits else { return nil }
    let form = compressed.form.load() ?? compressed.form.storeIfNil(compress(with: pool))
    return form.frame.isEmpty ? nil : form
  }

  private func compress(with pool: DeflatePool) -> Form {
    defer { pool.compressed.trim() }
    return plain.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[payload])
      guard let smaller = pool.deflater(windowBits: pool.sharedWindowBits)?.compress(text, into: pool.compressed) else { return Form() }
      var frame: [UInt8] = []
      frame.reserveCapacity(FrameEncoder.headerSize(payloadCount: smaller.count) + smaller.count)
      FrameEncoder.append(.text, payload: smaller, isCompressed: true, to: &frame)
      return Form(frame: frame, payloadCount: smaller.count)
    }
  }
}
