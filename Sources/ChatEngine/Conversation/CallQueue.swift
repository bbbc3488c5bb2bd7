import ChatModel

/// What waits to be decided, in the order of arrival.
struct CallQueue {
  /// One thing that waits.
  enum Entry {
    case call(CallID, ConversationOperation, Caller)
    case subscribe(SubscriberID, from: WindowStart?)
    /// Which calls wait for it stands in `Audience`.
    case loadMore(SubscriberID, count: Int)

    /// What it is found by.
    var name: Name {
      switch self {
      case .call(let call, _, _): .call(call)
      case .subscribe(let subscriber, _): .subscribe(subscriber)
      case .loadMore(let subscriber, _): .loadMore(subscriber)
      }
    }
  }

  /// Names an entry; none is there twice.
  enum Name: Hashable {
    case call(CallID)
    case subscribe(SubscriberID)
    case loadMore(SubscriberID)
  }

  /// Nil where an entry was taken out; `head` is the first that was not taken from the front.
  private var entries: [Entry?] = []
  private var head = 0
  /// How many entries were dropped from the front of `entries` since the beginning.
  private var dropped = 0
  /// Where the entries stand, counted from the beginning.
  private var places: [Name: Int] = [:]

  /// Makes an empty queue.
  init() {}

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }
  /// How many places there are, those of entries that were taken out too.
  var capacity: Int { entries.count }

  /// Adds an entry as the last, or in place of one with its name.
  mutating func append(_ entry: Entry) {
    if let place = places[entry.name] {
      entries[place - dropped] = entry
      return
    }
    places[entry.name] = dropped + entries.count
    entries.append(entry)
  }

  /// Takes an entry out; returns whether it was there.
  mutating func remove(_ name: Name) -> Bool {
    guard let place = places.removeValue(forKey: name) else { return false }
    entries[place - dropped] = nil
    // Who calls and cancels while the store is away leaves nothing behind.
    if entries.count > 64 + 2 * places.count { prepend([]) }
    return true
  }

  /// The first entry.
  mutating func first() -> Entry? {
    while head < entries.count {
      if let entry = entries[head] { return entry }
      head += 1
    }
    return nil
  }

  /// Takes the first entry out.
  mutating func popFirst() -> Entry? {
    guard let entry = first() else { return nil }
    places[entry.name] = nil
    entries[head] = nil
    head += 1
    // Moved up only when half of the array is empty: each entry is moved once on average.
    if head * 2 >= entries.count {
      entries.removeFirst(head)
      dropped += head
      head = 0
    }
    return entry
  }

  /// The first entries, at most so many.
  func prefix(_ count: Int) -> some Sequence<Entry> { entries[head...].lazy.compactMap { $0 }.prefix(count) }

  /// Takes out everything but the subscriptions and returns it.
  mutating func removeCalls() -> [Entry] {
    var calls: [Entry] = []
    let all = entries[head...].compactMap { $0 }
    self = CallQueue()
    for entry in all {
      switch entry {
      case .call, .loadMore: calls.append(entry)
      case .subscribe: append(entry)
      }
    }
    return calls
  }

  /// Puts entries before all others.
  mutating func prepend(_ first: [Entry]) {
    let rest = entries[head...].compactMap { $0 }
    self = CallQueue()
    for entry in first + rest { append(entry) }
  }
}
