import ChatModel

/// What has to be shown or looked at again, and when.
struct Outbox {
  /// Shown as soon as the state in memory is kept by the store.
  var dirt = Dirt()
  /// Whether the state in memory was thrown away and subscribers may have to be shown another one.
  var isStale = false
  /// Shown at `coalesceAt`: caused by changes of users, which come in crowds.
  var coalesced: Set<TopicKind> = []
  var coalesceAt: UInt64?
  /// When the store is asked again after it failed.
  var retryAt: UInt64?
  /// The tick of the last `wake`.
  var wakeAt: UInt64?
  /// Users whose lists wait until it is known what the users reacted with.
  var lateLists: Set<UserID> = []
  /// The hash of what each live list was told last of this conversation.
  var told: [UserID: Int] = [:]

  /// Gathers a topic that shows a changed user.
  mutating func coalesce(_ kind: TopicKind, until tick: UInt64) {
    coalesced.insert(kind)
    if coalesceAt == nil { coalesceAt = tick }
  }

  /// Makes what was gathered ready to be shown, when its time has come.
  mutating func collectDue(at tick: UInt64) {
    guard let coalesceAt, coalesceAt <= tick else { return }
    if coalesced.contains(.conversation) { dirt.everyViewer = true }
    if coalesced.contains(.messages) { dirt.messages = true }
    if coalesced.contains(.participants) { dirt.participants = true }
    if coalesced.contains(.typing) { dirt.typing = true }
    coalesced = []
    self.coalesceAt = nil
  }

  /// Takes all that has to be shown now; what was gathered for the same topics is shown with it.
  mutating func takeDirt() -> Dirt {
    let taken = dirt
    dirt = Dirt()
    for kind in coalesced where taken.includes(kind) { coalesced.remove(kind) }
    if coalesced.isEmpty { coalesceAt = nil }
    return taken
  }

  /// The wish to be woken, where it differs from the last one.
  mutating func wish(typingEnds: UInt64?, waitEnds: UInt64?) -> EngineAction? {
    guard let tick = [typingEnds, waitEnds, coalesceAt, retryAt].compactMap({ $0 }).min(), tick != wakeAt else { return nil }
    wakeAt = tick
    return .wake(at: tick)
  }
}
