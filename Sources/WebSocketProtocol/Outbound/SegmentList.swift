/// A list of queued byte arrays that is cheap to shorten at its front.
struct SegmentList: Sendable {
  private struct Segment {
    var bytes: [UInt8]
    let key: UInt32?
  }

  private var segments: [Segment] = []
  /// How many entries at the front are used up; they are empty.
  private var gone = 0
  /// How many entries have a key: without any there is nothing to search.
  private var keyed = 0

  var count: Int { segments.count - gone }
  var isEmpty: Bool { count == 0 }
  var first: [UInt8]? { isEmpty ? nil : segments[gone].bytes }

  subscript(index: Int) -> [UInt8] { segments[gone + index].bytes }

  mutating func append(_ bytes: [UInt8], key: UInt32?) {
    segments.append(Segment(bytes: bytes, key: key))
    if key != nil { keyed += 1 }
  }

  mutating func replace(_ index: Int, _ bytes: [UInt8]) {
    segments[gone + index].bytes = bytes
  }

  mutating func remove(_ index: Int) {
    if segments.remove(at: gone + index).key != nil { keyed -= 1 }
    if isEmpty { self = SegmentList() }
  }

  /// Removes the first entry; entries move up only when half of them are gone, so each moves once on average.
  mutating func removeFirst() {
    guard !isEmpty else { return }
    if segments[gone].key != nil { keyed -= 1 }
    segments[gone].bytes = []
    gone += 1
    if isEmpty { segments = [] } else if gone > 32, gone > segments.count / 2 { segments.removeFirst(gone) } else { return }
    gone = 0
  }

  /// Finds the entry of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - behindFirst: Whether the first entry is begun and does not count.
  func index(of key: UInt32, behindFirst: Bool) -> Int? {
    guard keyed > 0 else { return nil }
    return segments[(gone + (behindFirst && !isEmpty ? 1 : 0))...].firstIndex { $0.key == key }.map { $0 - gone }
  }
}
