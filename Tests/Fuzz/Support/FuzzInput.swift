/// One input of the fuzzer, and choices that follow from its bytes, so that a found input fails again.
package struct FuzzInput {
  /// What is left of the input.
  package private(set) var bytes: ArraySlice<UInt8>
  private var state: UInt64

  /// Takes over what `LLVMFuzzerTestOneInput` was given.
  package init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))[...]
    // FNV-1a: any change of the input changes the choices.
    state = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Takes the first byte away, 0 where there is none: what an input's kind or a small number is made of.
  package mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// The rest as text; what is not UTF-8 becomes U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Cuts the rest at each place of a separator; at most so many parts, the last with all that follows.
  package func parts(at separator: UInt8 = 0, most: Int = .max) -> [[UInt8]] {
    bytes.split(separator: separator, maxSplits: most - 1, omittingEmptySubsequences: false).map(Array.init)
  }

  /// A number from the range, by the input's bytes (https://prng.di.unimi.it/splitmix64.c).
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return range.lowerBound + Int((value ^ value >> 31) % UInt64(range.count))
  }

  /// Ends of the pieces in which that many bytes arrive, the last one `count`: each byte alone, or cuts at any places.
  package mutating func pieces(of count: Int) -> [Int] {
    guard count > 0 else { return [0] }
    // Steps that double now and then: many pieces for a short input, and never thousands of them for a long one.
    var (ends, end, step) = ([Int](), 0, 3)
    while end < count {
      end = min(count, end + number(in: 1...step))
      ends.append(end)
      if ends.count.isMultiple(of: 16) { step *= 2 }
    }
    return ends
  }
}
