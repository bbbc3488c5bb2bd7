import Compression
import FuzzSupport

/// Inflates made-up messages as a plain reading of RFC 1951 does, and takes back what was compressed.
///
/// The first byte chooses the direction, the window, whether contexts are kept and the limit. To inflate, 0xA5 stands between two
/// messages; to compress, a line break does, and the second byte says how often each message repeats itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let options = input.byte()
  let stream = Stream(windowBits: 8 + Int(options >> 2 & 7), keepsContext: options & 2 != 0)
  if options & 1 == 0 {
    checkInflating(input.parts(at: 0xA5, most: 4), limit: [65_536, 8_192, 100, 0][Int(options >> 5 & 3)], stream)
  } else {
    let times = 1 + Int(input.byte() % 40)
    let messages = input.parts(at: 10, most: 6).map { Array(repeatElement($0, count: times).joined()) }
    checkCompressing(messages, stream, forgetting: options >> 5)
  }
  return 0
}

private struct Stream {
  let windowBits: Int
  let keepsContext: Bool
}

private func checkInflating(_ payloads: [[UInt8]], limit: Int, _ stream: Stream) {
  let inflater = required(Inflater(windowBits: stream.windowBits, keepsContext: stream.keepsContext), "a stream")
  let output = OutputBuffer()
  var plain = PlainInflate()
  for payload in payloads {
    let result = inflate(payload, limit, inflater, output)
    require(output.capacity <= max(limit + 1, 16_384), "memory keeps to the limit: \(output.capacity)")
    let expected = Result { try plain.inflate(payload, limit: limit) }
    if !stream.keepsContext { plain.forget() }
    let reaches = plain.farthest <= 1 << max(9, stream.windowBits)
    switch (result, expected) {
    case (.success(let bytes), .success(let others)):
      require(bytes.count <= limit, "a message keeps the limit")
      requireEqual(bytes, others, "inflated by zlib and plainly")
    case (.failure(.malformed), .failure(PlainInflate.Refusal.malformed)): return
    case (.failure(.tooLong(let told)), .failure(PlainInflate.Refusal.tooLong)): return requireEqual(told, limit, "the limit is told")
    // Further back than was agreed on zlib may refuse.
    case (.failure(.malformed), _) where !reaches: return
    default: require(false, "\(result) and \(expected)")
    }
  }
}

private func inflate(
  _ payload: [UInt8], _ limit: Int, _ inflater: Inflater, _ output: OutputBuffer
) -> Result<[UInt8], InflateFailure> {
  // Memory of exactly this size, so that the sanitizer sees a step beyond.
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count, alignment: 1)
  defer { buffer.deallocate() }
  buffer.copyBytes(from: payload)
  return Result { () throws(InflateFailure) in
    Array(try inflater.inflate(UnsafeRawBufferPointer(buffer), limit: limit, into: output))
  }
}

private func checkCompressing(_ messages: [[UInt8]], _ stream: Stream, forgetting: UInt8) {
  let deflater = required(Deflater(windowBits: stream.windowBits, keepsContext: stream.keepsContext), "a stream")
  let inflater = required(Inflater(windowBits: stream.windowBits, keepsContext: stream.keepsContext), "a stream")
  let (compressed, inflated) = (OutputBuffer(), OutputBuffer())
  var plain = PlainInflate()
  for (index, message) in messages.enumerated() {
    if forgetting >> UInt8(index & 7) & 1 == 1 { deflater.forgetContext() }
    guard let bytes = message.withUnsafeBytes({ deflater.compress($0, into: compressed) }) else { continue }
    let payload = Array(bytes)
    require(payload.count < message.count, "compressed is smaller")
    requireEqual(inflate(payload, message.count, inflater, inflated), .success(message), "compressed and inflated")
    requireEqual(try? plain.inflate(payload, limit: message.count), message, "compressed and inflated plainly")
    require(plain.farthest <= 1 << stream.windowBits, "it refers no further back than agreed: \(plain.farthest)")
    if !stream.keepsContext { plain.forget() }
    if message.count.isMultiple(of: 3) {
      compressed.trim()
      inflated.trim()
    }
  }
}
