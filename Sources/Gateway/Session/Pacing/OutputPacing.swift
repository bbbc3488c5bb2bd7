import ChatEngine
import GatewayProtocol
import WebSocketProtocol

/// Decides when what may produce much output runs, so that it fits into the connection's queue when it comes.
///
/// Calls wait in the order of their arrival, subscriptions in that of theirs and behind the calls: a client that opens hundreds of topics
/// and then asks for a page gets the page first. What runs has room reserved for the most that it may produce, until that is queued.
struct OutputPacing {
  /// What there is room for.
  struct Room {
    /// The most that may wait in the queue, bytes.
    let cap: Int
    /// Bytes that wait there.
    var waiting: Int
    /// Bytes of replies that wait for the arrays of their batches.
    var batched = 0
    /// The oldest batch that is not answered.
    var oldestBatch: BatchReplies?
  }

  /// What runs next.
  enum Next {
    case call(HeldCall)
    case subscription(HeldSubscription)
  }

  private var calls: [HeldCall] = []
  private var subscriptions: [HeldSubscription] = []
  /// How many held calls there are by what others must not overtake them on.
  private var keys: [OrderKey: Int] = [:]
  /// The subscriptions whose first snapshot is on its way, with what is reserved and since when.
  private var awaited: [UInt64: (bytes: Int, since: UInt64)] = [:]
  /// How many of them are overdue: nothing is reserved for them any more.
  private var overdue = 0
  /// Bytes that calls which run may still produce.
  private(set) var reserved = 0

  /// Calls that wait.
  var callCount: Int { calls.count }

  /// Whether anything waits.
  var isEmpty: Bool { calls.isEmpty && subscriptions.isEmpty }

  // MARK: - Calls

  /// A call arrived: says whether it may run now, for which room is reserved then; else it is held.
  mutating func arrived(_ call: HeldCall, _ cost: OutputCost, _ room: Room) -> Bool {
    let mustWait = !keys.isEmpty && call.request.waitsBehind.contains { keys[$0] != nil }
    if !mustWait {
      switch cost {
      case .light(let bytes):
        reserved += bytes
        return true
      case .heavy(let bytes):
        if calls.isEmpty, fits(bytes, call.waited.batch, room) {
          reserved += bytes
          return true
        }
      }
    }
    calls.append(call)
    if let key = call.request.orderKey { keys[key, default: 0] += 1 }
    return false
  }

  /// What a call reserved is queued, or will not come.
  mutating func release(_ bytes: Int) { reserved = max(0, reserved - bytes) }

  /// Takes a call that waits, by its id.
  mutating func take(_ id: RequestID) -> HeldCall? {
    calls.firstIndex { $0.waited.call.id == id }.map { take(at: $0) }
  }

  private mutating func take(at index: Int) -> HeldCall {
    let call = calls.remove(at: index)
    if calls.isEmpty { calls = [] }
    guard let key = call.request.orderKey, let count = keys[key] else { return call }
    keys[key] = count > 1 ? count - 1 : nil
    return call
  }

  /// The session is over: takes all calls that wait, and forgets the subscriptions.
  mutating func close() -> [HeldCall] {
    defer { (calls, keys, subscriptions) = ([], [:], []) }
    for known in awaited.values { release(known.bytes) }
    (awaited, overdue) = ([:], 0)
    return calls
  }

  // MARK: - Subscriptions

  /// A subscription was answered; `next` says when its shard may be told.
  mutating func hold(_ subscription: HeldSubscription) { subscriptions.append(subscription) }

  /// The first snapshot of a subscription is queued, or will not come.
  mutating func release(_ subscriber: SubscriberID) {
    guard let known = awaited.removeValue(forKey: subscriber.serial) else { return }
    if known.bytes == 0 { overdue -= 1 }
    release(known.bytes)
  }

  /// A subscription ended; says whether its shard was never told of it.
  mutating func ended(_ subscriber: SubscriberID) -> Bool {
    release(subscriber)
    guard let index = subscriptions.firstIndex(where: { $0.subscriber == subscriber }) else { return false }
    subscriptions.remove(at: index)
    return true
  }

  /// Gives up the room of snapshots that did not come: while the store is away calls must not wait for them.
  ///
  /// Further subscriptions do wait, or all their snapshots would come at once, without room, when the store is back.
  mutating func giveUpAwaited(at now: UInt64) {
    for (serial, known) in awaited where known.bytes > 0 && now >= known.since && now - known.since >= Self.maxAwaitMs {
      awaited[serial] = (0, known.since)
      overdue += 1
      release(known.bytes)
    }
  }

  /// How long room is kept for a snapshot, milliseconds: the store answers in a few, or is away.
  static let maxAwaitMs: UInt64 = 2_000

  // MARK: - Turns

  /// What runs next, for which room is reserved; nil where all has to wait.
  ///
  /// - Parameters:
  ///   - room: What there is room for now.
  ///   - now: The loop's clock, milliseconds.
  ///   - cost: What a call may produce now; a `loadMore` that gets another one's reply takes nothing.
  ///   - first: What the first snapshot of a subscription may take.
  mutating func next(
    _ room: Room, at now: UInt64, cost: (HeldCall) -> OutputCost, first: (HeldSubscription) -> OutputCost
  ) -> (Next, bytes: Int)? {
    if let call = calls.first {
      let cost = cost(call)
      if case .heavy(let bytes) = cost, !fits(bytes, call.waited.batch, room) { return nil }
      reserved += cost.bytes
      return (.call(take(at: 0)), cost.bytes)
    }
    guard overdue == 0, let subscription = subscriptions.first else { return nil }
    let bytes = first(subscription).bytes
    guard fits(bytes, nil, room) else { return nil }
    subscriptions.removeFirst()
    if subscriptions.isEmpty { subscriptions = [] }
    reserved += bytes
    awaited[subscription.subscriber.serial] = (bytes, now)
    return (.subscription(subscription), bytes)
  }

  /// Whether there is room for so many bytes in the share of the queue that is for what a client asks.
  private func fits(_ bytes: Int, _ batch: BatchReplies?, _ room: Room) -> Bool {
    if bytes <= OutboundQueue.askedShare(of: room.cap) - room.waiting - room.batched - reserved { return true }
    guard reserved == 0 else { return false }
    // A batch is one frame and is let in alone: its calls run one after the other. Only the oldest batch grows so; nothing that it lacks
    // waits behind what is asked here, so it is answered some time.
    if let batch { return room.waiting <= room.cap / 2 && room.oldestBatch === batch }
    return room.waiting == 0
  }

  /// Whether messages are read: as long as what waits, and what light calls are about to add, leaves half of the queue to others.
  func wantsMore(_ room: Room) -> Bool { room.waiting + min(reserved, room.cap) / 2 <= room.cap / 2 }
}
