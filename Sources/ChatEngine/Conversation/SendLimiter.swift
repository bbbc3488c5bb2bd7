import ChatModel

/// Slows down who sends much: each message of a burst makes the next one wait longer.
///
/// Each user has a queue. Behind message k of a burst there is a wait of base · factor^k; when it is over the next in the queue is sent,
/// and where nobody waits the burst is over. So with a base of 1 s and a factor of 2 five messages at once are sent at 0, 1, 3, 7 and 15 s.
struct SendLimiter {
  /// What becomes of a send.
  enum Decision: Hashable {
    case sendNow
    case wait
    /// So many milliseconds from now it would not be refused, if nobody else comes.
    case refuse(retryAfterMs: UInt64)
  }

  /// A send that waits.
  struct Waiting {
    let call: CallID
    let operation: ConversationOperation
    let caller: Caller
  }

  /// One user's burst.
  private struct Burst {
    /// The first wait.
    let baseMs: UInt64
    /// The wait that runs at present.
    var waitMs: UInt64
    /// When it ends, by the tick.
    var endsAt: UInt64
    var queue: [Waiting] = []
  }

  private let rules: SendLimit
  private var bursts: [UserID: Burst] = [:]
  /// Whose the sends are that wait.
  private var senders: [CallID: UserID] = [:]
  /// The sends whose turn has come and that are not decided again yet.
  private var turns: Set<CallID> = []
  /// No wait ends before this tick; may be earlier than the first end, which costs one look.
  private(set) var nextEnd: UInt64?

  /// Makes a limiter for which nobody has sent anything.
  init(rules: SendLimit) { self.rules = rules }

  /// Whether no burst is under way, and nobody's turn has come.
  var isEmpty: Bool { bursts.isEmpty && turns.isEmpty }

  /// Whether a send waited for its turn, which has come; says so once.
  mutating func takeTurn(_ call: CallID) -> Bool { turns.remove(call) != nil }

  /// Somebody wants to send.
  mutating func request(_ waiting: Waiting, baseMs: UInt64, mayWait: Bool = true, at tick: UInt64) -> Decision {
    let user = waiting.caller.user
    guard let burst = bursts[user] else {
      begin(Burst(baseMs: baseMs, waitMs: baseMs, endsAt: tick.plus(baseMs)), of: user)
      return .sendNow
    }
    let delay = slot(behind: burst).minus(tick)
    let excess = delay.minus(rules.maxDelayMs)
    let isFull = !mayWait || burst.queue.count >= rules.maxQueued
    guard excess == 0, !isFull else {
      return .refuse(retryAfterMs: max(1, excess, isFull ? burst.endsAt.minus(tick) : 0))
    }
    bursts[user]?.queue.append(waiting)
    senders[waiting.call] = user
    return .wait
  }

  /// The waits that are over: returns the sends whose turn has come.
  mutating func expire(now: UInt64) -> [Waiting] {
    guard let nextEnd, nextEnd <= now else { return [] }
    var next: [Waiting] = []
    let ended = bursts.filter { $0.value.endsAt <= now }.sorted { ($0.value.endsAt, $0.key) < ($1.value.endsAt, $1.key) }
    for (user, burst) in ended {
      guard let first = burst.queue.first else {
        bursts[user] = nil
        continue
      }
      var burst = burst
      burst.queue.removeFirst()
      burst.waitMs = burst.waitMs.times(rules.factor)
      burst.endsAt = now.plus(burst.waitMs)
      bursts[user] = burst
      senders[first.call] = nil
      turns.insert(first.call)
      next.append(first)
    }
    self.nextEnd = bursts.values.lazy.map(\.endsAt).min()
    return next
  }

  /// A send is no longer wanted; says whether it waited.
  mutating func remove(_ call: CallID) -> Bool {
    guard let user = senders.removeValue(forKey: call) else { return false }
    bursts[user]?.queue.removeAll { $0.call == call }
    return true
  }

  /// Takes out everything that waits.
  mutating func removeAll() -> [Waiting] {
    let all = bursts.sorted { $0.key < $1.key }.flatMap(\.value.queue)
    for user in bursts.keys { bursts[user]?.queue = [] }
    senders = [:]
    return all
  }

  /// When who comes behind all that wait would be sent.
  private func slot(behind burst: Burst) -> UInt64 {
    var (end, wait) = (burst.endsAt, burst.waitMs)
    for _ in burst.queue {
      wait = wait.times(rules.factor)
      end = end.plus(wait)
    }
    return end
  }

  private mutating func begin(_ burst: Burst, of user: UserID) {
    bursts[user] = burst
    nextEnd = min(nextEnd ?? burst.endsAt, burst.endsAt)
  }
}

// A wait that grows by a factor leaves every range soon: it stays at its end.
extension UInt64 {
  fileprivate func plus(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }

  fileprivate func minus(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }

  fileprivate func times(_ other: UInt64) -> UInt64 {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
