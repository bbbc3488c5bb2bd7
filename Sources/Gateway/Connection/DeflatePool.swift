import Compression
import WebSocketProtocol

/// The compression streams of a loop: connections that keep no context use them one after the other and hold nothing themselves.
///
/// A stream is opened when it is first needed and stays for good: 268 KB for each way of compressing and 40 KB for inflating, a loop.
final class DeflatePool {
  /// The window of frames that many connections share, in bits.
  let sharedWindowBits: Int
  /// Where the message that is being sent is compressed to.
  let compressed = OutputBuffer()
  /// Where the message that is being received is inflated to.
  let inflated = OutputBuffer()
  private var deflaters: [Int: Deflater] = [:]
  private var anyInflater: Inflater?
  private var codecs: [Int: MessageCodec] = [:]

  init(policy: DeflatePolicy = DeflatePolicy()) { sharedWindowBits = policy.windowBits }

  /// The codec of a connection: the same for all that keep no context and have the same window.
  func codec(for agreement: DeflateAgreement) -> MessageCodec {
    guard !agreement.serverKeepsContext, !agreement.clientKeepsContext else { return MessageCodec(agreement) }
    if let known = codecs[agreement.serverWindowBits] { return known }
    let codec = MessageCodec(agreement)
    codecs[agreement.serverWindowBits] = codec
    return codec
  }

  /// The stream that compresses with a window, 8 to 15 bits; nil where there is no memory.
  func deflater(windowBits: Int) -> Deflater? {
    if let known = deflaters[windowBits] { return known }
    let deflater = Deflater(windowBits: windowBits, keepsContext: false)
    deflaters[windowBits] = deflater
    return deflater
  }

  /// The stream that inflates messages of any window; nil where there is no memory.
  func inflater() -> Inflater? {
    if anyInflater == nil { anyInflater = Inflater(windowBits: 15, keepsContext: false) }
    return anyInflater
  }
}
