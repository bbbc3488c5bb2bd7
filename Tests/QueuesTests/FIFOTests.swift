import TestSupport
import Testing

@testable import Queues

@Test func `a list is first in, first out, whatever is done to it in between, and knows its places`() {
  var list = FIFO<Int>()
  var plain: [Int] = []
  expectEqual(list.popFirst(), nil, "nothing")
  // A plain list beside it, over all the thresholds, growing and shrinking.
  for step in 0..<3_000 {
    switch (step * 7 + step / 500) % 11 {
    case 0, 1, 2, 3, 4, 5: plain.append(step)
    case 6: expectEqual(list.remove(step % 5), step % 5 < plain.count ? plain.remove(at: step % 5) : nil, "step \(step)")
    case 7:
      list.replace(step % 3, with: -step)
      if step % 3 < plain.count { plain[step % 3] = -step }
    default: expectEqual(list.popFirst(), plain.isEmpty ? nil : plain.removeFirst(), "step \(step)")
    }
    if (step * 7 + step / 500) % 11 <= 5 { list.append(step) }
    let state = (list.count, list.isEmpty, list.first, list[plain.count / 2], list[plain.count], list[-1])
    expect(
      state == (plain.count, plain.isEmpty, plain.first, plain.isEmpty ? nil : plain[plain.count / 2], nil, nil), "step \(step): \(state)")
  }
  expect(list.count > 100, "long enough for the thresholds")
  let third = list[2] ?? 0
  expectEqual(list.firstIndex { $0 == third }, 2, "found")
  expectEqual(list.firstIndex(from: 3) { $0 == third }, nil, "not behind its place")
  expectEqual(list.firstIndex(from: list.count) { _ in true }, nil, "nor behind the end")
  expectEqual(list.remove(list.count), nil, "nothing behind the end")
  while let next = list.popFirst() { expectEqual(next, plain.removeFirst()) }
  list.append(1)
  expectEqual(list.remove(0), 1)
  expect(list.isEmpty && plain.isEmpty, "all of them")
}

/// Counts what is alive.
private final class Guest {
  nonisolated(unsafe) static var alive = 0  // Sound: one test touches it.
  init() { Self.alive += 1 }
  deinit { Self.alive -= 1 }
}

@Test func `what is taken is freed at once, and a hundred thousand are served in steps that do not grow with the line`() {
  var guests = FIFO<Guest>()
  for _ in 0..<100 { guests.append(Guest()) }
  for count in (0..<100).reversed() {
    guests.popFirst()
    expectEqual(Guest.alive, count)
  }
  var line = FIFO<Int>()
  let count = 100_000
  for number in 0..<count { line.append(number) }
  var moves = 0
  while !line.isEmpty {
    let gone = line.gone
    line.popFirst()
    if line.gone <= gone { moves += line.count }
  }
  // Where each batch of some hundred moved all that are behind it, it would be millions.
  expect(moves <= count, "\(moves) moves for \(count) elements")
}
