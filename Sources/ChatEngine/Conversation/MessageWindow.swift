import ChatModel

/// The messages held in memory: the newest ones without a gap, and single ones that are quoted or asked for.
struct MessageWindow {
  /// A message of the window, with the snapshot that was last built of it.
  struct Item {
    var record: MessageRecord
    var view: View?
  }

  /// A built snapshot and what is asked of it often; dropped when the message, its quote or a sender changes.
  struct View {
    let snapshot: MessageSnapshot
    let hash: Int
    let bytes: Int

    init(_ snapshot: MessageSnapshot) {
      self.snapshot = snapshot
      hash = snapshot.hashValue
      bytes = snapshot.encodedSize
    }
  }

  /// Ascending by number; none is deleted.
  private(set) var items: [Item] = []
  /// Every message that is not deleted and has this number or a higher one is in `items`; `max` before anything is known.
  private(set) var coveredFrom: MessageNumber = .max
  /// Messages outside the window, tombstones included.
  private var others: [MessageNumber: Item] = [:]
  /// The message that is pinned, wherever it is.
  private(set) var pinned: MessageNumber?
  /// Numbers that the store knows no message of.
  private var absent: Set<MessageNumber> = []

  /// The window of a conversation about which nothing is known.
  init() {}

  /// The window of a conversation without messages.
  static var complete: MessageWindow {
    var window = MessageWindow()
    window.coveredFrom = 0
    return window
  }

  var newest: MessageRecord? { items.last?.record }

  /// The message with a number, a tombstone too, as far as memory tells.
  func record(_ number: MessageNumber) -> MessageRecord? {
    if let index = index(of: number) { return items[index].record }
    return others[number]?.record
  }

  /// The message with a number unless it is deleted.
  func living(_ number: MessageNumber) -> MessageRecord? {
    guard let record = record(number), !record.isDeleted else { return nil }
    return record
  }

  /// Whether memory tells if a message that is not deleted has this number.
  func settles(_ number: MessageNumber) -> Bool { number >= coveredFrom || settlesRow(number) }

  /// Whether memory tells if a row, possibly a tombstone, has this number.
  func settlesRow(_ number: MessageNumber) -> Bool {
    // Numbers begin at 1: what is no id at all comes with a lower one.
    number < 1 || index(of: number) != nil || others[number] != nil || absent.contains(number)
  }

  /// Adds a new message, the newest.
  mutating func append(_ record: MessageRecord) {
    items.append(Item(record: record))
    absent.remove(record.number)
  }

  /// Replaces a message after an edit.
  mutating func update(_ record: MessageRecord) {
    if let index = index(of: record.number) { items[index] = Item(record: record) } else { others[record.number] = Item(record: record) }
    forgetViews(quoting: record.number)
  }

  /// Replaces a message by its tombstone.
  mutating func delete(_ tombstone: MessageRecord) {
    if let index = index(of: tombstone.number) { items.remove(at: index) }
    others[tombstone.number] = Item(record: tombstone)
    forgetViews(quoting: tombstone.number)
  }

  /// Pins a message, which stays in memory with what it answers.
  mutating func pin(_ number: MessageNumber?) { pinned = number }

  /// A thread has other replies; returns whether the message under which it hangs is in memory and shows something else.
  mutating func noteThread(_ summary: ThreadSummary, under number: MessageNumber) -> Bool {
    if let index = index(of: number) {
      guard summary.revision > items[index].record.thread?.revision ?? 0 else { return false }
      items[index].record.thread = summary
      items[index].view = nil
      return true
    }
    guard let other = others[number]?.record, !other.isDeleted, summary.revision > other.thread?.revision ?? 0 else { return false }
    others[number]?.record.thread = summary
    others[number]?.view = nil
    return true
  }

  /// Adds a page that ends where the window begins, or that begins with the newest message.
  mutating func extend(by page: MessagePage) {
    let bound = items.first?.record.number ?? .max
    let older = page.messages.reversed().filter { $0.number < bound }
    items.insert(contentsOf: older.map { Item(record: $0) }, at: 0)
    // Kept twice, a message would change in one place only.
    for record in older { others[record.number] = nil }
    let reached = page.reachedEnd ? 0 : page.messages.last?.number ?? 0
    coveredFrom = min(coveredFrom, reached)
    takeQuoted(page)
  }

  /// Adds one message that was asked for by its number, or remembers that there is none.
  mutating func take(_ number: MessageNumber, _ page: MessagePage) {
    if let record = page.messages.first {
      if index(of: number) == nil { others[number] = Item(record: record) }
    } else {
      absent.insert(number)
    }
    takeQuoted(page)
  }

  /// Drops what lies below a floor, except for what the rest quotes.
  mutating func trim(to floor: MessageNumber) {
    guard let first = items.firstIndex(where: { $0.record.number >= floor }), first > 0 else { return }
    let kept = kept(with: items[first...])
    for item in items[..<first] where kept.contains(item.record.number) { others[item.record.number] = item }
    items.removeFirst(first)
    coveredFrom = max(coveredFrom, floor)
  }

  /// Drops single messages that nothing quotes, once there are many, and all knowledge of absence.
  mutating func dropUnquoted() {
    absent.removeAll()
    guard others.count > 64 + 2 * items.count else { return }
    let kept = kept(with: items[...])
    others = others.filter { kept.contains($0.key) }
  }

  /// What stays in memory outside of the window beside these items.
  private func kept(with items: ArraySlice<Item>) -> Set<MessageNumber> {
    var kept = Set(items.compactMap { $0.record.referenced })
    if let pinned {
      kept.insert(pinned)
      if let quoted = record(pinned)?.referenced { kept.insert(quoted) }
    }
    return kept
  }

  /// The index of the first item at or above a floor.
  func firstIndex(from floor: MessageNumber) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].record.number < floor { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Keeps a built snapshot.
  mutating func keep(_ view: View, at index: Int) { items[index].view = view }

  /// Whether a message in memory has reactions; looked at in place, for it is asked of many after each event.
  func hasReactions(_ number: MessageNumber) -> Bool {
    if let index = index(of: number) { return !items[index].record.reactions.isEmpty }
    return others[number].map { !$0.record.isDeleted && !$0.record.reactions.isEmpty } ?? false
  }

  /// The message with a number, unless it is deleted, with the snapshot that was last built of it.
  func item(_ number: MessageNumber) -> Item? {
    let item = index(of: number).map { items[$0] } ?? others[number]
    return item?.record.isDeleted == false ? item : nil
  }

  /// Keeps a built snapshot.
  mutating func keep(_ view: View, of number: MessageNumber) {
    if let index = index(of: number) { items[index].view = view } else { others[number]?.view = view }
  }

  /// Forgets the snapshots that show a user; returns whether there is such a message in the window.
  mutating func forgetViews(showing user: UserID) -> Bool {
    for (number, item) in others where item.view != nil && shows(item.record, user) { others[number]?.view = nil }
    var isShown = false
    for index in items.indices where shows(items[index].record, user) {
      items[index].view = nil
      isShown = true
    }
    return isShown
  }

  /// Whether a message or what it quotes was sent by a user or mentions them.
  func shows(_ record: MessageRecord, _ user: UserID) -> Bool {
    if record.shows(user) { return true }
    guard let number = record.referenced else { return false }
    return living(number)?.shows(user) == true
  }

  /// The users whose names messages in memory show.
  var people: Set<UserID> {
    var users: Set<UserID> = []
    for item in items { users.formUnion(item.record.people) }
    for item in others.values { users.formUnion(item.record.people) }
    return users
  }

  private mutating func forgetViews(quoting number: MessageNumber) {
    for index in items.indices where items[index].record.referenced == number { items[index].view = nil }
    for (other, item) in others where item.record.referenced == number { others[other]?.view = nil }
  }

  private mutating func takeQuoted(_ page: MessagePage) {
    for record in page.quoted where index(of: record.number) == nil { others[record.number] = Item(record: record) }
  }

  private func index(of number: MessageNumber) -> Int? {
    let index = firstIndex(from: number)
    return index < items.count && items[index].record.number == number ? index : nil
  }
}
