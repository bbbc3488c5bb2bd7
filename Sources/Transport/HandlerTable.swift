/// The handlers of a loop by descriptor, and the marks that tell a descriptor's present life from an earlier one.
///
/// The kernel may report an event for a descriptor that was removed, closed and opened again while its batch was handled. The mark goes into
/// the epoll entry and comes back with each event, so such an event finds nobody.
struct HandlerTable {
  /// A descriptor (low half) in one of its lives (high half), as the epoll entry carries it.
  typealias Mark = UInt64

  private struct Entry {
    var handler: (any SocketHandler)?
    var generation: UInt32 = 0
  }

  private var entries: [Entry] = []

  /// Puts a handler at a descriptor that has none; nil where it has one or is negative.
  mutating func insert(_ handler: any SocketHandler, at descriptor: CInt) -> Mark? {
    guard let index = Int(exactly: descriptor), index >= 0 else { return nil }
    if index >= entries.count {
      entries.append(contentsOf: repeatElement(Entry(), count: index + 1 - entries.count))
    }
    guard entries[index].handler == nil else { return nil }
    entries[index].handler = handler
    entries[index].generation &+= 1
    return mark(at: index)
  }

  /// Takes the handler of a descriptor away, and says whether there was one.
  mutating func remove(_ descriptor: CInt) -> Bool {
    let index = Int(descriptor)
    guard entries.indices.contains(index), entries[index].handler != nil else { return false }
    entries[index].handler = nil
    return true
  }

  /// The mark of a descriptor that has a handler.
  func mark(of descriptor: CInt) -> Mark? {
    let index = Int(descriptor)
    guard entries.indices.contains(index), entries[index].handler != nil else { return nil }
    return mark(at: index)
  }

  /// The handler that an event with this mark is meant for; nil for one of an earlier life.
  func handler(for mark: Mark) -> (any SocketHandler)? {
    let index = Int(UInt32(truncatingIfNeeded: mark))
    guard index < entries.count, entries[index].generation == UInt32(truncatingIfNeeded: mark >> 32) else { return nil }
    return entries[index].handler
  }

  /// Lets go of all handlers.
  mutating func removeAll() {
    entries = []
  }

  private func mark(at index: Int) -> Mark {
    Mark(entries[index].generation) << 32 | Mark(UInt32(truncatingIfNeeded: index))
  }
}
