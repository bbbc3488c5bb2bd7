import ChatModel

/// The numbers of the newest messages that are not deleted: what unread counts and windows are measured with.
///
/// At least `ChatSettings.maxUnread` of them are listed wherever there are so many, and no more than a quarter above that.
struct RecentNumbers {
  /// Ascending.
  private(set) var numbers: [MessageNumber] = []
  /// Whether older messages than the listed ones may exist.
  private(set) var isCut = false
  /// Who sent the listed messages, once somebody asked who hides users; system messages have no sender.
  private(set) var senders: [MessageNumber: UserID]?
  /// How many of the listed messages each of them sent.
  private var counts: [UserID: Int] = [:]

  /// How many numbers may gather above the needed ones before the oldest are dropped, all at once.
  private static let slack = 256

  /// The list of a conversation without messages.
  init() {}

  /// Takes what the store found: newest first, at most `ChatSettings.maxUnread + 1`.
  init(newestFirst: [MessageNumber]) {
    numbers = newestFirst.reversed()
    isCut = numbers.count > ChatSettings.maxUnread
  }

  var newest: MessageNumber? { numbers.last }

  /// The lowest listed number.
  var lowest: MessageNumber? { numbers.first }

  /// Adds the number of a new message, which is above all others.
  mutating func append(_ number: MessageNumber, by sender: UserID? = nil) {
    numbers.append(number)
    note(number, sender)
    guard numbers.count > ChatSettings.maxUnread + 1 + Self.slack else { return }
    for number in numbers.prefix(Self.slack) { forget(number) }
    numbers.removeFirst(Self.slack)
    isCut = true
  }

  /// Takes a deleted message out.
  mutating func remove(_ number: MessageNumber) {
    let index = position(of: number)
    if index < numbers.count, numbers[index] == number { numbers.remove(at: index) }
    forget(number)
  }

  /// Adds older numbers, newest first, that lie directly below the listed ones.
  mutating func extend(older: [MessageRecord], reachedEnd: Bool) {
    let bound = numbers.first ?? .max
    let older = older.filter { $0.number < bound }
    numbers.insert(contentsOf: older.reversed().map(\.number), at: 0)
    for record in older { note(record.number, record.sender) }
    isCut = !reachedEnd
  }

  /// Whether so many deletions would leave too few numbers to count unread messages with.
  func isShort(afterDeleting count: Int) -> Bool { isCut && numbers.count - count < ChatSettings.maxUnread }

  /// How many messages lie after a marker: exact up to `ChatSettings.maxUnread`, then that.
  func unread(after marker: MessageNumber) -> Int {
    marker == .max ? 0 : min(count(from: marker + 1), ChatSettings.maxUnread)
  }

  /// How many listed numbers are at or above a floor.
  func count(from floor: MessageNumber) -> Int { numbers.count - position(of: floor) }

  /// Whether a message lies below a floor.
  func hasOlder(than floor: MessageNumber) -> Bool {
    guard let lowest = numbers.first else { return isCut }
    return isCut || lowest < floor
  }

  /// The floor under the newest messages, so many of them; 0 when that is all there are.
  func floor(ofNewest count: Int) -> MessageNumber {
    guard let lowest = numbers.first else { return 0 }
    guard count > 0 else { return .max }
    if count < numbers.count { return numbers[numbers.count - count] }
    return isCut ? lowest : 0
  }

  // MARK: Hidden senders

  /// Whether a user sent one of the listed messages, as far as is known.
  func hasSender(_ user: UserID) -> Bool { counts[user] != nil }

  /// Takes what the store says of the senders; what was sent since is known better.
  mutating func take(senders found: [MessageNumber: UserID]) {
    guard senders == nil else { return }
    senders = [:]
    for number in numbers { note(number, found[number]) }
  }

  /// The newest messages that are not of these users, so many of them, newest first.
  func newest(_ count: Int, hiding users: Set<UserID>) -> [MessageNumber] {
    Array(numbers.reversed().lazy.filter { !isHidden($0, users) }.prefix(count))
  }

  /// How many messages of others than these users lie after a marker, among the listed ones; at most `ChatSettings.maxUnread`.
  func unread(after marker: MessageNumber, hiding users: Set<UserID>) -> Int {
    guard !users.isEmpty else { return unread(after: marker) }
    guard marker != .max else { return 0 }
    let listed = numbers.suffix(min(count(from: marker + 1), ChatSettings.maxUnread + 1))
    return min(listed.count { !isHidden($0, users) }, ChatSettings.maxUnread)
  }

  /// The floor under the newest messages that are not of these users, so many of them.
  func floor(ofNewest count: Int, hiding users: Set<UserID>) -> MessageNumber {
    guard !users.isEmpty, count > 0 else { return floor(ofNewest: count) }
    let shown = newest(count, hiding: users)
    return shown.count < count ? floor(ofNewest: numbers.count) : shown.last ?? 0
  }

  /// How many messages at or above a floor are not of these users.
  func count(from floor: MessageNumber, hiding users: Set<UserID>) -> Int {
    guard !users.isEmpty else { return count(from: floor) }
    return numbers.suffix(count(from: floor)).count { !isHidden($0, users) }
  }

  private func isHidden(_ number: MessageNumber, _ users: Set<UserID>) -> Bool { senders?[number].map(users.contains) ?? false }

  private mutating func note(_ number: MessageNumber, _ sender: UserID?) {
    guard senders != nil, let sender else { return }
    senders?[number] = sender
    counts[sender, default: 0] += 1
  }

  private mutating func forget(_ number: MessageNumber) {
    guard let sender = senders?.removeValue(forKey: number), let count = counts[sender] else { return }
    counts[sender] = count > 1 ? count - 1 : nil
  }

  /// The first index whose number is not below the given one.
  private func position(of number: MessageNumber) -> Int {
    var low = 0
    var high = numbers.count
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
