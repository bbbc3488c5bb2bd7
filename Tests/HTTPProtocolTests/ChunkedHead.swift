import HTTPProtocol
import TestSupport
import Testing

/// Hands a growing head to a parser whole, byte by byte, and cut in two at every place, and demands the same result each time.
func expectOutcome<Parser, Outcome: Equatable>(
  _ text: String, _ expected: Outcome, _ name: String, incomplete: Outcome, make: () -> Parser,
  parse: (inout Parser, UnsafeRawBufferPointer) -> Outcome
) {
  let bytes = Array(text.utf8)
  func run(_ ends: [Int]) -> Outcome {
    var parser = make()
    for end in ends {
      let outcome = bytes[..<end].withUnsafeBytes { parse(&parser, $0) }
      if outcome != incomplete { return outcome }
    }
    return incomplete
  }
  expectEqual(run([bytes.count]), expected, "\(name), whole")
  expectEqual(run(Array(0...bytes.count)), expected, "\(name), byte by byte")
  let cuts = bytes.count < 600 ? Array(bytes.indices) : [1, 4, 17, bytes.count / 2, bytes.count - 1]
  for cut in cuts { expectEqual(run([cut, bytes.count]), expected, "\(name), cut at \(cut)") }
}
