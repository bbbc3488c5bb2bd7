import Queues

/// A list of queued byte arrays, of which some have a key by which they are found.
struct SegmentList: Sendable {
  private struct Segment {
    let bytes: [UInt8]
    let key: UInt32?
  }

  private var segments = FIFO<Segment>()
  /// How many entries have a key: without any there is nothing to search.
  private var keyed = 0

  var count: Int { segments.count }
  var isEmpty: Bool { segments.isEmpty }
  var first: [UInt8]? { segments.first?.bytes }

  /// The bytes of an entry; none where there is no entry.
  subscript(index: Int) -> [UInt8] { segments[index]?.bytes ?? [] }

  mutating func append(_ bytes: [UInt8], key: UInt32?) {
    segments.append(Segment(bytes: bytes, key: key))
    if key != nil { keyed += 1 }
  }

  mutating func replace(_ index: Int, _ bytes: [UInt8]) {
    segments.replace(index, with: Segment(bytes: bytes, key: segments[index]?.key))
  }

  mutating func remove(_ index: Int) {
    if segments.remove(index)?.key != nil { keyed -= 1 }
  }

  mutating func removeFirst() {
    if segments.popFirst()?.key != nil { keyed -= 1 }
  }

  /// Finds the entry of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - behindFirst: Whether the first entry is begun and does not count.
  func index(of key: UInt32, behindFirst: Bool) -> Int? {
    guard keyed > 0 else { return nil }
    return segments.firstIndex(from: behindFirst && !isEmpty ? 1 : 0) { $0.key == key }
  }
}
