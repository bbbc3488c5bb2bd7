import ChatModel

/// The numbers of the newest messages that are not deleted: what unread counts and windows are measured with.
///
/// At least `ChatSettings.maxUnread` of them are listed wherever there are so many, and no more than a quarter above that.
struct RecentNumbers {
  /// Ascending.
  private(set) var numbers: [MessageNumber] = []
  /// Whether older messages than the listed ones may exist.
  private(set) var isCut = false

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
  mutating func append(_ number: MessageNumber) {
    numbers.append(number)
    guard numbers.count > ChatSettings.maxUnread + 1 + Self.slack else { return }
    numbers.removeFirst(Self.slack)
    isCut = true
  }

  /// Takes a deleted message out.
  mutating func remove(_ number: MessageNumber) {
    let index = position(of: number)
    if index < numbers.count, numbers[index] == number { numbers.remove(at: index) }
  }

  /// Adds older numbers, newest first, that lie directly below the listed ones.
  mutating func extend(older: [MessageNumber], reachedEnd: Bool) {
    let bound = numbers.first ?? .max
    numbers.insert(contentsOf: older.reversed().filter { $0 < bound }, at: 0)
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
