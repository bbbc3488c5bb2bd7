/// A timer of a `TimingWheel`; never given out twice.
package struct TimerID: Hashable, Sendable {
  fileprivate let index: UInt32
  fileprivate let generation: UInt32
}

/// Timers by deadline: scheduling and cancelling cost the same for one timer and for a million.
///
/// A hierarchical wheel (Varghese and Lauck, 1987). Time is counted in units of 16 ms, so that many timers share a wake-up. Level 0 has a slot
/// for each unit, level 1 for each 64 units, and so on; eleven levels hold every deadline there is. A timer sits at the level of the highest
/// six-bit digit in which its unit differs from `elapsed`, so all timers of a lower level are due before those of a higher one. When time
/// reaches a slot of a higher level, its timers move down. A timer never expires before its deadline and is at most one unit late.
package struct TimingWheel<Payload> {
  private struct Node {
    var payload: Payload?
    var unit: UInt64 = 0
    var next: UInt32 = 0
    var previous: UInt32 = 0
    var list: Int = 0
    var generation: UInt32 = 0
  }

  private var nodes: [Node] = []
  private var free: [UInt32] = []
  /// The first node of each circular list: the slots of all levels, then the list of expired timers.
  private var heads: [UInt32?]
  /// For each level, which of its slots hold timers.
  private var occupied: [UInt64]
  /// The last unit of which all timers have expired.
  private var elapsed: UInt64
  /// Timers that are scheduled or expired and not taken.
  package private(set) var count = 0

  private static var resolution: UInt64 { 16 }
  private static var levels: Int { 11 }
  private static var expired: Int { levels * 64 }

  /// An empty wheel whose time is `now`.
  package init(now: Tick) {
    heads = Array(repeating: nil, count: Self.expired + 1)
    occupied = Array(repeating: 0, count: Self.levels)
    elapsed = now.milliseconds / Self.resolution
  }

  /// Whether no timer is left.
  package var isEmpty: Bool { count == 0 }

  /// Adds a timer; one whose deadline has passed is due with the next unit.
  package mutating func schedule(_ payload: Payload, at deadline: Tick) -> TimerID {
    let (quotient, remainder) = deadline.milliseconds.quotientAndRemainder(dividingBy: Self.resolution)
    let unit = max(remainder == 0 ? quotient : quotient &+ 1, elapsed &+ 1)
    let index: UInt32
    if let last = free.popLast() {
      index = last
    } else {
      index = UInt32(truncatingIfNeeded: nodes.count)
      nodes.append(Node())
    }
    nodes[Int(index)].payload = payload
    nodes[Int(index)].unit = unit
    link(index, to: list(of: unit))
    count += 1
    return TimerID(index: index, generation: nodes[Int(index)].generation)
  }

  /// Takes a timer away, also one that expired and was not taken; nothing happens, and false comes back, where it is gone.
  @discardableResult
  package mutating func cancel(_ timer: TimerID) -> Bool {
    let index = Int(timer.index)
    guard index < nodes.count, nodes[index].generation == timer.generation, nodes[index].payload != nil else { return false }
    _ = release(timer.index)
    return true
  }

  /// Takes one timer that is due at `now`: the earliest, of those of one unit the one scheduled first.
  ///
  /// Call it until nil comes back. In between timers may be scheduled and cancelled.
  package mutating func popExpired(at now: Tick) -> Payload? {
    advance(to: now.milliseconds / Self.resolution)
    guard let first = heads[Self.expired] else { return nil }
    return release(first)
  }

  /// When `popExpired` has something to do next: never after the earliest deadline's unit, perhaps before it; nil while there is no timer.
  package var nextDeadline: Tick? {
    if heads[Self.expired] != nil { return Tick(milliseconds: elapsed.multipliedSaturating(by: Self.resolution)) }
    return nextSlot.map { Tick(milliseconds: $0.start.multipliedSaturating(by: Self.resolution)) }
  }

  // MARK: - Time

  /// The first slot that holds timers, and the unit at which it begins.
  private var nextSlot: (list: Int, start: UInt64)? {
    for level in 0..<Self.levels where occupied[level] != 0 {
      let slot = occupied[level].trailingZeroBitCount
      let shift = UInt64(6 * level)
      // Digits above the level are those of `elapsed`, digits below are 0. Smart shifts: all 64 bits are shifted out at the top level.
      let above = (elapsed >> (shift + 6)) << (shift + 6)
      return (level * 64 + slot, above | UInt64(slot) << shift)
    }
    return nil
  }

  private mutating func advance(to unit: UInt64) {
    guard unit > elapsed else { return }
    while let (list, start) = nextSlot, start <= unit {
      elapsed = start
      // From the front to the back, so that timers of one unit keep their order.
      while let first = heads[list] {
        unlink(first)
        let due = nodes[Int(first)].unit
        link(first, to: due <= start ? Self.expired : self.list(of: due))
      }
    }
    elapsed = unit
  }

  /// The slot of a unit after `elapsed`.
  private func list(of unit: UInt64) -> Int {
    let level = (63 - ((unit ^ elapsed) | 63).leadingZeroBitCount) / 6
    return level * 64 + Int(unit >> UInt64(6 * level) & 63)
  }

  // MARK: - Lists

  private mutating func link(_ index: UInt32, to list: Int) {
    let node = Int(index)
    nodes[node].list = list
    if let first = heads[list] {
      let last = nodes[Int(first)].previous
      nodes[node].next = first
      nodes[node].previous = last
      nodes[Int(last)].next = index
      nodes[Int(first)].previous = index
    } else {
      nodes[node].next = index
      nodes[node].previous = index
      heads[list] = index
      if list < Self.expired { occupied[list / 64] |= 1 << UInt64(list % 64) }
    }
  }

  private mutating func unlink(_ index: UInt32) {
    let node = nodes[Int(index)]
    if node.next == index {
      heads[node.list] = nil
      if node.list < Self.expired { occupied[node.list / 64] &= ~(1 << UInt64(node.list % 64)) }
      return
    }
    nodes[Int(node.previous)].next = node.next
    nodes[Int(node.next)].previous = node.previous
    if heads[node.list] == index { heads[node.list] = node.next }
  }

  /// Ends the life of a node; one that has lived 4,294,967,295 times is never used again, so no id comes back.
  private mutating func release(_ index: UInt32) -> Payload? {
    unlink(index)
    let payload = nodes[Int(index)].payload
    nodes[Int(index)].payload = nil
    count -= 1
    if nodes[Int(index)].generation < .max {
      nodes[Int(index)].generation += 1
      free.append(index)
    }
    return payload
  }
}

extension UInt64 {
  fileprivate func multipliedSaturating(by factor: UInt64) -> UInt64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
