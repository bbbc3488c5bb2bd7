import TestSupport
import Testing

@testable import TLS

@Test func `lent bytes are read once and written as far as there is room`() {
  var lent = LentBytes()
  var output = [UInt8](repeating: 0, count: 5)
  var target = [UInt8](repeating: 0, count: 3)
  [UInt8]([1, 2, 3, 4]).withUnsafeBytes { input in
    output.withUnsafeMutableBytes { output in
      lent.lend(input, output)
      expectEqual(target.withUnsafeMutableBytes { lent.read(into: $0) }, 3, "as much as fits")
      expectEqual(target.withUnsafeMutableBytes { lent.read(into: $0) }, 1, "as much as there is")
      expectEqual(target.withUnsafeMutableBytes { lent.read(into: $0) }, 0, "no more")
      expectEqual([UInt8]([7, 8, 9]).withUnsafeBytes { lent.write($0) }, 3, "all")
      expectEqual([UInt8]([6, 5, 4]).withUnsafeBytes { lent.write($0) }, 2, "as much as fits")
      expectEqual([UInt8]([3]).withUnsafeBytes { lent.write($0) }, 0, "no more")
      expectEqual(lent.consumed, 4)
      expectEqual(lent.produced, 5)
    }
  }
  lent.takeBack()
  expectEqual([target, output], [[4, 2, 3], [7, 8, 9, 6, 5]])
  expectEqual([UInt8]([1]).withUnsafeBytes { lent.write($0) }, 0, "nothing is lent any more")
  expectEqual(target.withUnsafeMutableBytes { lent.read(into: $0) }, 0, "nothing is lent any more")
  expectEqual(lent.consumed, 0)
}
