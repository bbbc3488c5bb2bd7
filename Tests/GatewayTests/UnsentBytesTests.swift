import TestSupport
import Testing

@testable import Gateway

@Test func `what is sent is let go of, also where something always waits, and the rest stays in order`() {
  var unsent = UnsentBytes()
  var plain: [UInt8] = []
  var most = 0
  // As a peer that takes as much as comes, and always leaves some.
  for round in 0..<10_000 {
    let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 30)
    piece.withUnsafeBytes { unsent.append($0) }
    plain += piece
    if plain.count > 1_000 {
      unsent.sent(30)
      plain.removeFirst(30)
    }
    most = max(most, unsent.heldCount)
    if round % 100 == 0 { expectEqual(unsent.withUnsafeBytes { Array($0) }, plain, "round \(round)") }
  }
  expect(most <= 2 * 1_030 + 60, "at most \(most) bytes were held")
  expectEqual(unsent.count, plain.count)
  unsent.sent(plain.count - 1)
  expectEqual(unsent.withUnsafeBytes { Array($0) }, [plain[plain.count - 1]], "the last one")
  unsent.sent(5)
  expectEqual(unsent, UnsentBytes(), "nothing is held once nothing waits")
  unsent.append(UnsafeRawBufferPointer(start: nil, count: 0))
  expectEqual(unsent.withUnsafeBytes { $0.count }, 0)
}
