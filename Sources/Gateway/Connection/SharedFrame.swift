import Compression
import Locks
import WebSocketProtocol

/// A whole text frame that many connections send, compressed at most once, by the first loop that has somebody who wants it so.
struct SharedFrame: Sendable {
  /// The compressed form.
  private enum Compressed: Sendable {
    /// Nobody asked yet. Next: `form`, `none`.
    case untried
    case form(Form)
    /// It would not be smaller.
    case none
  }

  /// A frame with RSV1.
  struct Form: Sendable {
    let frame: [UInt8]
    /// Bytes of its payload.
    let payloadCount: Int
  }

  /// The frame as it is where nothing else was agreed on.
  let plain: [UInt8]
  private let payload: Range<Int>
  /// Nil where it is too short to be compressed.
  private let compressed: Lock<Compressed>?

  /// Makes the frame of a text.
  init(text: [UInt8]) {
    plain = FrameEncoder.frame(.text, text)
    payload = (plain.count - text.count)..<plain.count
    compressed = text.count >= MessageCodec.leastBytes ? Lock(.untried) : nil
  }

  /// How many bytes the text has.
  var textCount: Int { payload.count }

  /// The frame for a connection whose client inflates with a window; nil where it gets the plain one.
  ///
  /// No distance in a message is larger than the message, so a short one fits a window smaller than that of the stream. The lock is held while
  /// the first loop compresses: another that wants the same waits at most for as long as it would need itself, and there is no second wait.
  func compressed(windowBits: Int, with pool: DeflatePool) -> Form? {
    guard let compressed, windowBits >= pool.sharedWindowBits || payload.count <= 1 << windowBits else { return nil }
    return compressed.withLock { state in
      if case .untried = state { state = compress(with: pool).map { .form($0) } ?? .none }
      switch state {
      case .form(let form): return form
      case .untried, .none: return nil
      }
    }
  }

  private func compress(with pool: DeflatePool) -> Form? {
    defer { pool.compressed.trim() }
    return plain.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[payload])
      guard let smaller = pool.deflater(windowBits: pool.sharedWindowBits)?.compress(text, into: pool.compressed) else { return nil }
      var frame: [UInt8] = []
      frame.reserveCapacity(FrameEncoder.headerSize(payloadCount: smaller.count) + smaller.count)
      FrameEncoder.append(.text, payload: smaller, isCompressed: true, to: &frame)
      return Form(frame: frame, payloadCount: smaller.count)
    }
  }
}
