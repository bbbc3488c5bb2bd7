import TestSupport
import Testing
import WebSocketProtocol

@Suite struct OutboundQueueTests {
  /// What the queue lends, and in how many pieces.
  private func lent(_ queue: OutboundQueue, room: Int = 64) -> (bytes: [UInt8], pieces: Int) {
    withUnsafeTemporaryAllocation(of: OutboundVector.self, capacity: room) { vectors in
      var bytes: [UInt8] = []
      let pieces = queue.withVectors(vectors) { count in
        for vector in vectors[..<count] { bytes += UnsafeRawBufferPointer(start: vector.base, count: vector.count) }
        return count
      }
      return (bytes, pieces)
    }
  }

  private func large(_ byte: UInt8, _ count: Int = 600) -> [UInt8] { Array(repeating: byte, count: count) }

  @Test func `small frames go into one piece, large shared ones are lent as they are`() {
    var queue = OutboundQueue(maxBytes: 100_000)
    expectEqual(lent(queue).pieces, 0, "empty")
    let payload = Array("hi".utf8)
    expectEqual(payload.withUnsafeBytes { queue.append(.text, payload: $0) }, .queued)
    expectEqual(queue.append([1, 2]), .queued)
    expectEqual(queue.append(shared: [3]), .queued)
    let small: [UInt8] = [0x81, 2, 0x68, 0x69, 1, 2, 3]
    expectEqual(lent(queue).bytes, small)
    expectEqual(lent(queue).pieces, 1)
    expectEqual(queue.append(shared: large(7)), .queued)
    expectEqual(queue.append([4]), .queued)
    expectEqual(queue.append(shared: []), .queued)
    expectEqual(lent(queue).bytes, small + large(7) + [4])
    expectEqual(lent(queue).pieces, 3)
    expectEqual(lent(queue, room: 2).bytes, small + large(7), "room for two pieces")
    expectEqual(queue.byteCount, small.count + 601)
    queue.consume(5)
    expectEqual(lent(queue).bytes, [2, 3] + large(7) + [4])
    queue.consume(2 + 100)
    expectEqual(lent(queue).bytes, large(7, 500) + [4])
    queue.consume(500)
    expectEqual(lent(queue).bytes, [4])
    queue.consume(1)
    expect(queue.isEmpty && queue.byteCount == 0, "all sent")
    expectEqual(payload.withUnsafeBytes { queue.append(.binary, payload: $0, isCompressed: true) }, .queued)
    expectEqual(lent(queue).bytes, [0xC2, 2, 0x68, 0x69], "RSV1")
  }

  @Test func `a newer frame takes the place of the one of its key that waits`() {
    var queue = OutboundQueue(maxBytes: 10_000)
    expectEqual(queue.append(shared: [1, 1], key: 1), .queued)
    expectEqual(queue.append(shared: [2], key: 2), .queued)
    expectEqual(queue.append([9]), .queued)
    expectEqual(queue.append(shared: [3, 3, 3], key: 1), .queued)
    expectEqual(lent(queue).bytes, [3, 3, 3, 2, 9])
    expectEqual([1, 2, 3].map { queue.isWaiting(key: $0) }, [true, true, false], "before anything is sent")
    queue.consume(1)
    expectEqual([1, 2].map { queue.isWaiting(key: $0) }, [false, true], "the first is begun")
    expectEqual(queue.append(shared: [4], key: 1), .queued)
    expectEqual(lent(queue).bytes, [3, 3, 2, 9, 4], "a frame that is begun stays")
    expectEqual(queue.append(shared: [5], key: 1), .queued)
    queue.remove(key: 2)
    queue.remove(key: 8)
    expectEqual(lent(queue).bytes, [3, 3, 9, 5])
    queue.remove(key: 1)
    queue.remove(key: 1)
    expectEqual(lent(queue).bytes, [3, 3, 9], "the begun frame goes on")
    queue.consume(2)
    expectEqual(lent(queue).bytes, [9])
    queue.consume(1)
    expectEqual(queue.append(shared: [6], key: 1), .queued)
    queue.remove(key: 1)
    expect(queue.isEmpty, "the last frame is removed")
    expectEqual(queue.append(shared: [7], key: 1), .queued)
    queue.removeAll()
    expect(queue.isEmpty && lent(queue).pieces == 0, "all dropped")
  }

  @Test func `what is not begun can be dropped for a last frame`() {
    var queue = OutboundQueue(maxBytes: 10_000)
    expectEqual(queue.append([]), .queued)
    queue.removeUnsent()
    expect(queue.isEmpty, "nothing waits")
    expectEqual(queue.append([1, 2]), .queued)
    expectEqual(queue.append(shared: large(3), key: 1), .queued)
    expectEqual(queue.append(shared: [4], key: 2), .queued)
    queue.consume(3)
    queue.removeUnsent()
    expectEqual(lent(queue).bytes, large(3, 599), "the begun frame goes on")
    expectEqual(queue.byteCount, 599)
    expectEqual(queue.append([5]), .queued)
    queue.consume(599)
    expectEqual(lent(queue).bytes, [5], "the last frame")
    queue.removeUnsent()
    expectEqual(lent(queue).bytes, [], "not begun")
    expectEqual(queue.append([6, 7, 8]), .queued)
    queue.consume(1)
    queue.removeUnsent()
    expectEqual(lent(queue).bytes, [7, 8], "a buffer that is begun stays whole")
    // Of many frames of its own no more than a buffer is kept, and never a part of a frame.
    for size in [100, 6_000, 20_000] {
      var queue = OutboundQueue(maxBytes: 1_000_000)
      for number in 0..<200_000 / size { _ = queue.append(large(UInt8(truncatingIfNeeded: number), size)) }
      queue.consume(1)
      queue.removeUnsent()
      expect(queue.byteCount <= max(16_384, size) && (queue.byteCount + 1) % size == 0, "\(queue.byteCount) bytes of \(size) each")
      expectEqual(Array(lent(queue).bytes.prefix(size - 1)), large(0, size - 1), "the first goes on")
    }
  }

  @Test func `the cap counts the frame being added`() {
    let rows: [(String, (inout OutboundQueue) -> OutboundQueue.Admission, OutboundQueue.Admission)] = [
      ("bytes up to the cap", { $0.append(Array(repeating: 0, count: 10)) }, .queued),
      ("a byte more", { $0.append(Array(repeating: 0, count: 11)) }, .overflow),
      (
        "a frame with its header", { queue in [UInt8](repeating: 0, count: 8).withUnsafeBytes { queue.append(.text, payload: $0) } },
        .queued
      ),
      ("a frame a byte over", { queue in [UInt8](repeating: 0, count: 9).withUnsafeBytes { queue.append(.text, payload: $0) } }, .overflow),
      ("a shared frame", { $0.append(shared: Array(repeating: 0, count: 10)) }, .queued),
      ("a shared frame a byte over", { $0.append(shared: Array(repeating: 0, count: 11)) }, .overflow),
      ("a large shared frame", { $0.append(shared: Array(repeating: 0, count: 1_000)) }, .overflow),
      ("a keyed frame", { $0.append(shared: Array(repeating: 0, count: 10), key: 2) }, .queued),
      ("a keyed frame a byte over", { $0.append(shared: Array(repeating: 0, count: 11), key: 2) }, .overflow),
      ("a keyed frame in the place of five bytes", { $0.append(shared: Array(repeating: 0, count: 15), key: 1) }, .queued),
      ("a byte over in the place of five", { $0.append(shared: Array(repeating: 0, count: 16), key: 1) }, .overflow),
    ]
    for (name, add, expected) in rows {
      var queue = OutboundQueue(maxBytes: 20)
      expectEqual(queue.append(Array(repeating: 0, count: 5)), .queued)
      expectEqual(queue.append(shared: Array(repeating: 0, count: 5), key: 1), .queued)
      expectEqual(add(&queue), expected, name)
      expectEqual(queue.byteCount, expected == .queued ? 20 : 10, name)
    }
  }

  @Test func `random work gives what a plain list gives`() {
    var generator = FixedGenerator(seed: 3)
    for round in 0..<60 {
      var queue = OutboundQueue(maxBytes: .max)
      var model = Model()
      for step in 0..<120 {
        let bytes = Array(repeating: UInt8(step), count: [3, 700, 5_000][step % 3] + step)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: model.add(bytes, nil, to: &queue) { $0.append(bytes) }
        case 1: model.add(bytes, nil, to: &queue) { $0.append(shared: bytes) }
        case 2, 3:
          let key = UInt32.random(in: 0..<4, using: &generator)
          model.add(bytes, key, to: &queue) { $0.append(shared: bytes, key: key) }
        case 4:
          let key = UInt32.random(in: 0..<4, using: &generator)
          queue.remove(key: key)
          model.remove(key)
        default:
          let count = Int.random(in: 0...min(queue.byteCount, 9_000), using: &generator)
          queue.consume(count)
          model.consume(count)
        }
        expectEqual(queue.byteCount, model.count, "round \(round), step \(step)")
      }
      expect(lent(queue, room: 200).bytes == model.bytes, "round \(round)")
    }
  }

  /// The queue as a plain list of frames.
  private struct Model {
    private var frames: [(bytes: [UInt8], key: UInt32?)] = []
    private var sent = 0

    var count: Int { frames.reduce(0) { $0 + $1.bytes.count } - sent }
    var bytes: [UInt8] { Array(frames.flatMap(\.bytes).dropFirst(sent)) }

    private func waiting(_ key: UInt32) -> Int? {
      frames.indices.first { frames[$0].key == key && ($0 > 0 || sent == 0) }
    }

    mutating func add(
      _ bytes: [UInt8], _ key: UInt32?, to queue: inout OutboundQueue, _ add: (inout OutboundQueue) -> OutboundQueue.Admission
    ) {
      expectEqual(add(&queue), .queued)
      if let key, let index = waiting(key) { frames[index].bytes = bytes } else { frames.append((bytes, key)) }
    }

    mutating func remove(_ key: UInt32) {
      if let index = waiting(key) { frames.remove(at: index) }
    }

    mutating func consume(_ count: Int) {
      sent += count
      while let first = frames.first, sent >= first.bytes.count {
        sent -= first.bytes.count
        frames.removeFirst()
      }
    }
  }

  @Test func `a long queue is sent in linear time`() {
    var queue = OutboundQueue(maxBytes: .max)
    for index in 0..<20_000 { expectEqual(queue.append(shared: large(UInt8(index & 0xFF)), key: index == 0 ? 1 : nil), .queued) }
    for index in 0..<20_000 {
      if index % 1_000 == 0 { expectEqual(lent(queue, room: 1).bytes, large(UInt8(index & 0xFF)), "frame \(index)") }
      queue.consume(600)
    }
    expect(queue.isEmpty, "all sent")
    for _ in 0..<3_000 {
      expectEqual(queue.append(large(5, 100)), .queued)
      queue.consume(99)
    }
    expectEqual(lent(queue).bytes, large(5, 3_000), "appended and sent in turns")
  }

  @Test func `one frame over the cap is let into an empty queue where that is asked for`() {
    var queue = OutboundQueue(maxBytes: 20)
    expectEqual(queue.append(shared: large(1, 30), key: 1), .overflow, "not unasked")
    expectEqual(queue.appendAlone { $0.append(shared: large(1, 30), key: 1) }, .queued, "alone")
    expectEqual(queue.appendAlone { $0.append(large(3, 21)) }, .overflow, "none behind it")
    expectEqual(queue.append(large(4, 15)), .queued, "what waits behind it has the whole cap")
    expectEqual(queue.append(large(5, 6)), .overflow, "and no more")
    queue.consume(29)
    expectEqual(queue.byteCount, 16, "the rest of it, and what waits behind it")
    expectEqual(queue.append(large(6, 5)), .queued, "to the last byte of it")
    queue.consume(2)
    expectEqual(queue.append([1, 1]), .overflow, "the cap holds again")
    queue.consume(queue.byteCount)
    for (size, more) in [(15, 5), (16, 20)] {
      expectEqual(queue.append(large(1, size)), .queued, "what leaves little to others counts as alone")
      expectEqual(queue.append(large(1, more + 1)), .overflow, "\(size) and more than \(more)")
      expectEqual(queue.append(large(1, more)), .queued, "\(size) and \(more)")
      queue.removeAll()
    }
    expectEqual(queue.append(large(2, 21)), .overflow, "and for all")
    expectEqual(queue.appendAlone { $0.append(large(2, 20)) }, .queued, "what fits goes as ever")
    queue.removeAll()
    for isRemoved in [true, false] {
      _ = queue.appendAlone { $0.append(shared: large(1, 30), key: 1) }
      _ = queue.append(shared: large(2, 20), key: 2)
      if isRemoved { queue.remove(key: 1) } else { _ = queue.append(shared: large(3, 5), key: 1) }
      expectEqual(queue.append([1]), .overflow, "what takes its place has no more than its own bytes")
      queue.removeAll()
    }
  }

  @Test func `bytes in flight count against the cap`() {
    var queue = OutboundQueue(maxBytes: 1_000)
    queue.bytesInFlight = 300
    expectEqual(queue.append(large(1, 701)), .overflow)
    expectEqual(queue.append(shared: large(1, 701)), .overflow)
    expectEqual(queue.append(shared: large(1, 701), key: 1), .overflow)
    expectEqual(large(1, 697).withUnsafeBytes { queue.append(.text, payload: $0) }, .overflow, "with its header")
    expectEqual(queue.append(shared: large(1, 600), key: 1), .queued)
    expectEqual(queue.append(shared: large(2, 701), key: 1), .overflow, "in its place")
    expectEqual(queue.append(shared: large(2, 700), key: 1), .queued, "in its place")
    queue.bytesInFlight = 301
    expectEqual(queue.append([1]), .overflow)
    queue.bytesInFlight = 0
    expectEqual(queue.append(large(1, 300)), .queued)
    expectEqual(queue.byteCount, 1_000)
  }
}
