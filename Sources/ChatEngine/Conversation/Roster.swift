import ChatModel

/// The participants of a conversation, and what those may have who come back to it.
struct Roster {
  /// Where a participant stands in the order of joining.
  ///
  /// Two who joined in one call are told apart by their ids.
  private struct Seat: Comparable {
    let joinedRevision: Int64
    let user: UserID

    static func < (left: Seat, right: Seat) -> Bool {
      left.joinedRevision != right.joinedRevision ? left.joinedRevision < right.joinedRevision : left.user < right.user
    }
  }

  private var records: [UserID: ParticipantRecord] = [:]
  /// Those who might only read when they left, and are not back.
  private var formerReaders: Set<UserID>
  /// Ascending; the conversation's clock makes this the order of `joinedAt` too.
  private var seats: [Seat] = []
  /// The lowest `readUntil`, and how many participants have it; nil when it must be looked for again.
  private var lowest: (readUntil: Timestamp, holders: Int)?

  /// Makes a roster of participants in any order.
  init(_ participants: [ParticipantRecord] = [], formerReaders: Set<UserID> = []) {
    self.formerReaders = formerReaders
    for participant in participants { records[participant.user] = participant }
    seats = records.values.map { Seat(joinedRevision: $0.joinedRevision, user: $0.user) }.sorted()
  }

  var count: Int { seats.count }

  /// All participants, in no order.
  var users: Dictionary<UserID, ParticipantRecord>.Keys { records.keys }

  subscript(user: UserID) -> ParticipantRecord? { records[user] }

  /// The access that somebody who has no place may take: that of their last place, or any.
  func highestAccess(ofReturning user: UserID) -> Access { formerReaders.contains(user) ? .read : .readWrite }

  /// Adds a participant, the last to join, or replaces one who is there.
  mutating func put(_ record: ParticipantRecord) {
    if let old = records.updateValue(record, forKey: record.user) {
      release(old.readUntil)
    } else {
      let seat = Seat(joinedRevision: record.joinedRevision, user: record.user)
      seats.insert(seat, at: position(of: seat))
      formerReaders.remove(record.user)
    }
    hold(record.readUntil)
  }

  /// Takes a participant out.
  mutating func remove(_ user: UserID) {
    guard let old = records.removeValue(forKey: user) else { return }
    seats.remove(at: position(of: Seat(joinedRevision: old.joinedRevision, user: user)))
    if old.access == .read { formerReaders.insert(user) }
    release(old.readUntil)
  }

  /// The lowest `readUntil` of all.
  ///
  /// Everybody is looked at only when the lowest has moved.
  mutating func lowestReadUntil() -> Timestamp? {
    if let lowest { return lowest.readUntil }
    guard let readUntil = records.values.lazy.map(\.readUntil).min() else { return nil }
    lowest = (readUntil, records.values.lazy.count { $0.readUntil == readUntil })
    return readUntil
  }

  // MARK: Windows, which reach from the last who joined back to a floor: a revision of joining

  /// How many joined at or after a floor.
  func count(from floor: Int64) -> Int { seats.count - firstSeat(from: floor) }

  /// Whether somebody joined before a floor.
  func hasOlder(than floor: Int64) -> Bool { firstSeat(from: floor) > 0 }

  /// The floor under those who joined last, so many of them; 0 when that is all there are.
  func floor(ofNewest count: Int) -> Int64 {
    count < seats.count && count > 0 ? seats[seats.count - count].joinedRevision : 0
  }

  /// Those who joined at or after a floor, last joined first.
  func newestFirst(from floor: Int64) -> some Sequence<ParticipantRecord> {
    seats[firstSeat(from: floor)...].reversed().lazy.compactMap { [records] in records[$0.user] }
  }

  private func firstSeat(from floor: Int64) -> Int {
    var low = 0
    var high = seats.count
    while low < high {
      let middle = (low + high) / 2
      if seats[middle].joinedRevision < floor { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func position(of seat: Seat) -> Int {
    var index = firstSeat(from: seat.joinedRevision)
    while index < seats.count, seats[index] < seat { index += 1 }
    return index
  }

  private mutating func hold(_ readUntil: Timestamp) {
    guard let held = lowest else { return }
    if readUntil < held.readUntil { lowest = (readUntil, 1) }
    if readUntil == held.readUntil { lowest?.holders += 1 }
  }

  private mutating func release(_ readUntil: Timestamp) {
    guard let held = lowest, readUntil == held.readUntil else { return }
    lowest = held.holders > 1 ? (readUntil, held.holders - 1) : nil
  }
}
