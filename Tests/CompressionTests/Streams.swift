import CZlib
import Compression
import TestSupport
import Testing

/// Bytes of a message as a sender's stream makes them.
func deflated(_ deflater: Deflater, _ message: [UInt8]) -> [UInt8]? {
  let output = OutputBuffer()
  return withExtendedLifetime(output) { message.withUnsafeBytes { deflater.compress($0, into: output).map(Array.init) } }
}

/// What a receiver's stream makes of a payload.
func inflated(_ inflater: Inflater, _ payload: [UInt8], limit: Int = 1 << 20) -> Result<[UInt8], InflateFailure> {
  inflated(inflater, payload, limit: limit, into: OutputBuffer())
}

/// What a receiver's stream makes of a payload in a buffer that others used before.
func inflated(_ inflater: Inflater, _ payload: [UInt8], limit: Int, into output: OutputBuffer) -> Result<[UInt8], InflateFailure> {
  withExtendedLifetime(output) {
    payload.withUnsafeBytes { payload in
      do throws(InflateFailure) { return .success(Array(try inflater.inflate(payload, limit: limit, into: output))) } catch {
        return .failure(error)
      }
    }
  }
}

/// Streams of zlib itself, with settings that ours do not have.
enum Reference {
  /// A raw stream, ended by a flush of which the four bytes of the marker are left out, or by a block with BFINAL.
  static func deflate(_ message: [UInt8], level: CInt = 6, windowBits: CInt = 15, memoryLevel: CInt = 8, isFinal: Bool = false) -> [UInt8] {
    var stream = z_stream()
    expectEqual(czlib_raw_deflate_init(&stream, level, windowBits, memoryLevel), Z_OK, "zlib opens a stream")
    defer { deflateEnd(&stream) }
    var message = message
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(message.count))) + 64)
    return message.withUnsafeMutableBytes { input in
      output.withUnsafeMutableBytes { output in
        stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(output.count)
        expectEqual(CZlib.deflate(&stream, isFinal ? Z_FINISH : Z_SYNC_FLUSH), isFinal ? Z_STREAM_END : Z_OK, "zlib compresses")
        return Array(output[..<(output.count - Int(stream.avail_out) - (isFinal ? 0 : 4))])
      }
    }
  }

  /// Inflates with a window of exactly so many bits: written a byte at a time, the output cannot serve as a larger one.
  static func inflate(_ payload: [UInt8], windowBits: CInt) -> [UInt8]? {
    var stream = z_stream()
    expectEqual(czlib_raw_inflate_init(&stream, windowBits), Z_OK, "zlib opens a stream")
    defer { inflateEnd(&stream) }
    var input = payload + [0, 0, 0xFF, 0xFF]
    var output: [UInt8] = []
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        var byte: UInt8 = 0
        let code = withUnsafeMutablePointer(to: &byte) {
          stream.next_out = $0
          stream.avail_out = 1
          return CZlib.inflate(&stream, Z_SYNC_FLUSH)
        }
        if stream.avail_out == 0 { output.append(byte) }
        if code == Z_BUF_ERROR || code == Z_OK && stream.avail_out == 1 { return output }
        if code != Z_OK { return nil }
      }
    }
  }
}

/// Random numbers that are the same in each run (SplitMix64).
struct FixedGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Bytes with as many repetitions as JSON has, or none at all.
  mutating func bytes(_ count: Int, isRandom: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let distance = Int(truncatingIfNeeded: next() % 40_000)
      if !isRandom, next() % 4 > 0, distance > 0, distance <= bytes.count {
        for _ in 0..<(next() % 80) { bytes.append(bytes[bytes.count - distance]) }
      } else {
        bytes.append(UInt8(truncatingIfNeeded: isRandom ? next() : 0x61 + next() % 20))
      }
    }
    return Array(bytes[..<count])
  }
}
