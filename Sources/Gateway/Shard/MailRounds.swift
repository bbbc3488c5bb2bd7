import Queues

/// Divides what arrives for somebody on a loop into rounds of the loop, in the order of arrival.
///
/// Whatever else lives on the loop waits for one round at most, however much arrives at once.
struct MailRounds<Mail: Sendable> {
  /// What waits for a later round.
  private var waiting = FIFO<Mail>()

  /// The most that is worked off in one round: one to two milliseconds of decisions.
  static var maxRound: Int { 64 }

  /// Whether something waits for the next round.
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes what arrived and gives what is worked off in this round.
  mutating func next(_ arrived: [Mail]) -> [Mail] {
    // As a rule nothing waits, and all of it is one round.
    if waiting.isEmpty, arrived.count <= Self.maxRound { return arrived }
    for mail in arrived { waiting.append(mail) }
    var round: [Mail] = []
    round.reserveCapacity(Self.maxRound)
    while round.count < Self.maxRound, let mail = waiting.popFirst() { round.append(mail) }
    return round
  }
}
