package import ChatModel

// Which of the guests who watch see the user.
extension UserMachine {
  /// Where the question stands which of the guests who watch may see the user; nothing waits for it but what they are shown.
  enum Look: Hashable {
    /// Next: `wanted`.
    case none
    /// It is another machine's turn. Next: `asking`, or `none` when nobody is left to ask about.
    case wanted
    /// The store is asked about these. Next: `none`, `wanted` when more are in doubt, or `late` after a failure.
    case asking([UserID])
    /// The store failed. Next: `wanted`, when the wish of `.wake` comes due.
    case late
  }

  /// A guest, or with nil every guest, may see the user or not any more.
  ///
  /// Somebody came into a conversation or left it, or every loop reports that from now on. Until it is known the guest is shown
  /// nothing new.
  package mutating func sightChanged(of guest: UserID?) -> [EngineAction] {
    watchers.doubt(guest)
    return wantLook()
  }

  mutating func wantLook() -> [EngineAction] {
    guard look == .none, watchers.hasDoubts else { return [] }
    look = .wanted
    return [.wantLook]
  }

  /// It is this machine's turn: returns the guests about whom the store is to be asked now, some at a time.
  package mutating func beginLook() -> [UserID] {
    guard look == .wanted else { return [] }
    let guests = watchers.takeDoubted(atMost: Self.maxLooked)
    look = guests.isEmpty ? .none : .asking(guests)
    return guests
  }

  /// About how many guests the store is asked at once.
  static let maxLooked = 16

  /// The store says for each guest of `beginLook` whether they share a conversation with the user, or fails.
  package mutating func looked(_ result: Result<[StoreAnswer], StoreError>, at moment: Moment) -> [EngineAction] {
    guard case .asking(let guests) = look else { return [] }
    guard case .success(let answers) = result, let flags = Self.flags(answers), flags.count == guests.count else {
      watchers.doubtAsked()
      look = .late
      return retry(at: moment)
    }
    look = .none
    for (guest, areTogether) in zip(guests, flags) { watchers.settle(guest, isVisible: areTogether) }
    return publish() + wantLook()
  }

  private static func flags(_ answers: [StoreAnswer]) -> [Bool]? {
    let flags = answers.compactMap { if case .flag(let flag) = $0 { flag } else { nil } }
    return flags.count == answers.count ? flags : nil
  }
}
