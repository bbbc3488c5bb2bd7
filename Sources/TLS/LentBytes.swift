import COpenSSL

/// What a session reads from and writes to while one call runs: ranges that the caller lends.
///
/// In place of OpenSSL's own memory BIO, whose buffers stay as large as the largest flight for as long as the connection lives: this one has
/// none, so an idle session holds none, and what is written is where the caller wants it without a copy.
struct LentBytes {
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How much of the input is read.
  private(set) var consumed = 0
  /// How much of the output is filled.
  private(set) var produced = 0
  /// How many messages of the protocol itself were read, in all calls.
  private(set) var messages = 0

  /// Lends ranges until `takeBack`.
  mutating func lend(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
    (self.input, self.output, consumed, produced) = (input, output, 0, 0)
  }

  /// Forgets the ranges, which may be freed from now on.
  mutating func takeBack() { lend(UnsafeRawBufferPointer(start: nil, count: 0), UnsafeMutableRawBufferPointer(start: nil, count: 0)) }

  /// OpenSSL has read a handshake's message or an alert.
  mutating func countMessage() { messages &+= 1 }

  /// Moves as much of the input as there is and fits; returns how much.
  mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(target.count, input.count - consumed)
    guard count > 0 else { return 0 }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[consumed..<(consumed + count)]))
    consumed += count
    return count
  }

  /// Moves as much into the output as fits; returns how much.
  mutating func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = min(bytes.count, output.count - produced)
    guard count > 0 else { return 0 }
    UnsafeMutableRawBufferPointer(rebasing: output[produced...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    produced += count
    return count
  }
}

/// The kind of BIO that moves lent bytes.
enum LentBIO {
  /// A new BIO over ranges that have to outlive it; nil where there is no memory.
  static func make(over lent: UnsafeMutablePointer<LentBytes>) -> OpaquePointer? {
    guard let method, let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, lent)
    return bio
  }

  // Proven: a BIO_METHOD is filled in once, in this initialiser, which Swift runs for one thread, and is only read from then on.
  private nonisolated(unsafe) static let method: OpaquePointer? = {
    guard let method = BIO_meth_new(parley_BIO_new_type(), "lent bytes"), BIO_meth_set_read(method, readLent) == 1,
      BIO_meth_set_write(method, writeLent) == 1, BIO_meth_set_ctrl(method, controlLent) == 1
    else { return nil }
    return method
  }()
}

private func lentBytes(_ bio: OpaquePointer?) -> UnsafeMutablePointer<LentBytes>? {
  BIO_get_data(bio)?.assumingMemoryBound(to: LentBytes.self)
}

private func readLent(_ bio: OpaquePointer?, _ target: UnsafeMutablePointer<CChar>?, _ count: CInt) -> CInt {
  parley_BIO_clear_retry_flags(bio)
  guard let lent = lentBytes(bio), let target, count > 0 else { return 0 }
  let moved = lent.pointee.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
  if moved == 0 { parley_BIO_set_retry_read(bio) }
  return moved == 0 ? -1 : CInt(truncatingIfNeeded: moved)
}

private func writeLent(_ bio: OpaquePointer?, _ source: UnsafePointer<CChar>?, _ count: CInt) -> CInt {
  parley_BIO_clear_retry_flags(bio)
  guard let lent = lentBytes(bio), let source, count > 0 else { return 0 }
  let moved = lent.pointee.write(UnsafeRawBufferPointer(start: source, count: Int(count)))
  if moved == 0 { parley_BIO_set_retry_write(bio) }
  return moved == 0 ? -1 : CInt(truncatingIfNeeded: moved)
}

/// Flushing has nothing to do, and nothing else is asked that matters.
private func controlLent(_ bio: OpaquePointer?, _ command: CInt, _ number: CLong, _ pointer: UnsafeMutableRawPointer?) -> CLong {
  command == BIO_CTRL_FLUSH ? 1 : 0
}
