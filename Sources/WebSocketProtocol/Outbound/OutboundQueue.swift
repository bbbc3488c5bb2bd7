/// The bytes that wait to be sent on one connection, bounded.
///
/// Frames of this connection alone are appended to one buffer. Frames that many connections share are only referred to. A shared frame with
/// a collapse key replaces the one of the same key that still waits, in its place: a slow reader gets the newest snapshot, not all of them.
/// An empty queue holds no memory.
package struct OutboundQueue: Sendable {
  /// Whether what was added is in the queue.
  package enum Admission: Equatable, Sendable {
    /// It waits to be sent.
    case queued
    /// It would be over the cap and was not added: the reader is too slow.
    case overflow
  }

  /// How large the buffer of own frames becomes before the next begins: what is given up at the end is given up by buffers.
  private static let bufferBytes = 16_384
  /// Shared frames up to this size without a key are copied: cheaper than a vector of their own.
  private static let copiedBytes = 512

  private var maxBytes: Int
  private var segments = SegmentList()
  /// What was appended behind the last segment.
  private var tail: [UInt8] = []
  /// How many bytes of the first segment, or of the tail where there is none, are sent.
  private var sent = 0
  /// Bytes that wait.
  package private(set) var byteCount = 0
  /// Bytes that were taken from the queue and that the system does not have yet, such as a record of TLS: they count against the cap.
  package var bytesInFlight = 0
  /// How many of them belong to a frame that was let in alone, which the cap does not count.
  private var loneCount = 0
  /// How large the buffer became last time, up to `bufferBytes`: the next one has room for that at once.
  private var usualSize: UInt16 = 256

  /// Makes an empty queue.
  ///
  /// - Parameter maxBytes: The cap, compared with all that waits and the frame being added.
  package init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// How much of a cap, bytes, a reader may fill by what it asks.
  ///
  /// A quarter is left to what nobody asked for now, as the next snapshots of what was opened before: who reads slowly, and fills the queue
  /// by what it asks, must not be cut off by the next message of somebody else.
  package static func askedShare(of cap: Int) -> Int { cap - cap / 4 }

  /// How many bytes may be added.
  private var room: Int { maxBytes - (byteCount - loneCount) - bytesInFlight }

  /// Whether nothing waits.
  package var isEmpty: Bool { byteCount == 0 }

  // MARK: - Adding

  /// Adds bytes of this connection alone, such as a response head or frames of a client.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) -> Admission {
    guard !bytes.isEmpty else { return .queued }
    guard bytes.count <= room else { return .overflow }
    makeRoom(bytes.count)
    tail.append(contentsOf: bytes)
    added(bytes.count)
    return .queued
  }

  /// Adds bytes of this connection alone.
  package mutating func append(_ bytes: [UInt8]) -> Admission {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Adds a whole frame of a server, written straight into the buffer; RSV1 says that its payload is compressed.
  package mutating func append(_ opcode: Opcode, payload: UnsafeRawBufferPointer, isCompressed: Bool = false) -> Admission {
    let header = FrameEncoder.headerSize(payloadCount: payload.count)
    guard payload.count <= room - header else { return .overflow }
    let size = header + payload.count
    makeRoom(size)
    FrameEncoder.append(opcode, payload: payload, isCompressed: isCompressed, to: &tail)
    added(size)
    return .queued
  }

  /// Adds a frame that other connections hold too.
  ///
  /// - Parameters:
  ///   - frame: The bytes of the frame.
  ///   - key: The collapse key, or `nil` for a frame that is always sent. A frame whose first byte is sent is never replaced.
  package mutating func append(shared frame: [UInt8], key: UInt32? = nil) -> Admission {
    guard !frame.isEmpty else { return .queued }
    if let key, let index = waiting(key) { return replace(index, frame) }
    if key == nil, frame.count <= Self.copiedBytes { return append(frame) }
    guard frame.count <= room else { return .overflow }
    push(frame, key: key)
    return .queued
  }

  private mutating func replace(_ index: Int, _ frame: [UInt8]) -> Admission {
    let more = frame.count - segments[index].count
    guard more <= room else { return .overflow }
    segments.replace(index, frame)
    byteCount += more
    if index == 0 { loneCount = min(loneCount, frame.count) }
    return .queued
  }

  /// Whether a frame of a key is there of which nothing is sent yet.
  package func isWaiting(key: UInt32) -> Bool { waiting(key) != nil }

  /// Drops the frame of a key, unless its first byte is sent.
  package mutating func remove(key: UInt32) {
    guard let index = waiting(key) else { return }
    byteCount -= segments[index].count
    segments.remove(index)
    if index == 0 { loneCount = 0 }
    if isEmpty { removeAll() }
  }

  /// Drops everything.
  package mutating func removeAll() {
    if !segments.isEmpty { segments = SegmentList() }
    usualSize = UInt16(clamping: min(max(tail.count, 256), Self.bufferBytes))
    tail = []
    sent = 0
    byteCount = 0
    loneCount = 0
  }

  /// Drops all that waits but the frame, or the buffer of small ones, that is begun and whose rest must follow; then a last frame may be added.
  package mutating func removeUnsent() {
    guard sent > 0 else { return removeAll() }
    guard let begun = segments.first else { return }
    let (sentOfBegun, lone) = (sent, loneCount)
    removeAll()
    push(begun, key: nil)
    sent = sentOfBegun
    byteCount = begun.count - sentOfBegun
    loneCount = min(lone, byteCount)
  }

  /// Adds to an empty queue what alone is over the cap: the size of one frame is not its reader's fault.
  ///
  /// Until it is sent the cap counts what waits behind it.
  package mutating func appendAlone(_ add: (inout OutboundQueue) -> Admission) -> Admission {
    guard isEmpty else { return add(&self) }
    let cap = maxBytes
    maxBytes = .max
    defer {
      maxBytes = cap
      if byteCount > Self.askedShare(of: cap) { loneCount = byteCount }
    }
    return add(&self)
  }

  private func waiting(_ key: UInt32) -> Int? {
    segments.index(of: key, behindFirst: sent > 0)
  }

  private mutating func push(_ frame: [UInt8], key: UInt32?) {
    if !tail.isEmpty {
      segments.append(tail, key: nil)
      tail = []
    }
    segments.append(frame, key: key)
    added(frame.count)
  }

  /// Counts what was added.
  ///
  /// What takes more than its share of an empty queue counts as let in alone, or it would leave no room to what others do.
  @inline(__always)
  private mutating func added(_ count: Int) {
    if byteCount == 0, count > Self.askedShare(of: maxBytes) { loneCount = count }
    byteCount += count
  }

  /// Grows the tail at once for a first frame, begins a new one behind one that is full, and cuts off what is sent before it would be
  /// carried along.
  @inline(__always)
  private mutating func makeRoom(_ count: Int) {
    if tail.count > Self.bufferBytes - min(count, Self.bufferBytes), !tail.isEmpty {
      segments.append(tail, key: nil)
      tail = []
    }
    if tail.isEmpty {
      tail.reserveCapacity(max(count, Int(usualSize)))
    } else if sent > 4_096, segments.isEmpty, sent > tail.count / 2 {
      tail.removeFirst(sent)
      sent = 0
    }
  }

  // MARK: - Sending

  /// Lends the waiting bytes in order, as many pieces as there is room for.
  ///
  /// - Parameters:
  ///   - vectors: Where the pieces are described, uninitialised before and after.
  ///   - body: Gets the number of pieces; the bytes live until it returns.
  /// - Returns: What `body` returned, such as the result of `writev`.
  package func withVectors(_ vectors: UnsafeMutableBufferPointer<OutboundVector>, _ body: (Int) -> Int) -> Int {
    guard segments.isEmpty, !tail.isEmpty, !vectors.isEmpty else { return fill(vectors, 0, body) }
    return tail.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return body(0) }
      vectors.initializeElement(at: 0, to: OutboundVector(base: base + sent, count: bytes.count - sent))
      return body(1)
    }
  }

  /// Each piece stays borrowed on the way down, so its address is good until `body` returns.
  private func fill(_ vectors: UnsafeMutableBufferPointer<OutboundVector>, _ place: Int, _ body: (Int) -> Int) -> Int {
    guard place < vectors.count, place < segments.count || place == segments.count && !tail.isEmpty else { return body(place) }
    let piece = place < segments.count ? segments[place] : tail
    return piece.withUnsafeBytes { bytes in
      let skipped = place == 0 ? sent : 0
      guard let base = bytes.baseAddress else { return body(place) }
      vectors.initializeElement(at: place, to: OutboundVector(base: base + skipped, count: bytes.count - skipped))
      return fill(vectors, place + 1, body)
    }
  }

  /// Takes away what was sent.
  ///
  /// - Parameter count: Bytes that the system took, at most those lent.
  package mutating func consume(_ count: Int) {
    guard count < byteCount else { return removeAll() }
    byteCount -= max(0, count)
    loneCount = max(0, loneCount - max(0, count))
    sent += max(0, count)
    while let first = segments.first, sent >= first.count {
      sent -= first.count
      segments.removeFirst()
    }
  }
}
