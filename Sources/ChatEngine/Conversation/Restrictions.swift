import ChatModel

/// What is forbidden users of a conversation, whether they take part or not.
struct Restrictions {
  private var records: [UserID: RestrictionRecord]

  /// Takes restrictions in any order.
  init(_ records: [RestrictionRecord] = []) {
    self.records = Dictionary(records.map { ($0.user, $0) }) { first, _ in first }
  }

  subscript(user: UserID) -> RestrictionRecord? {
    get { records[user] }
    set { records[user] = newValue }
  }

  /// Why a user may have no place; nil where they may.
  func ban(of user: UserID) -> ChatError? {
    guard let record = records[user], record.isBanned else { return nil }
    return Self.refusal("banned from", record)
  }

  /// Why a user may not write; nil where they may.
  func mute(of user: UserID) -> ChatError? {
    guard let record = records[user], record.isMuted else { return nil }
    return Self.refusal("muted in", record)
  }

  /// A piece of the list, ordered by the users' ids, and whether nothing lies behind it.
  func page(_ range: UserRange) -> (records: ArraySlice<RestrictionRecord>, reachedEnd: Bool) {
    range.page(of: records.values) { $0.user }
  }

  private static func refusal(_ what: String, _ record: RestrictionRecord) -> ChatError {
    let reason = record.reason.map { ": \($0)" } ?? ""
    return ChatError(.restricted, "\(record.user.text) is \(what) this conversation\(reason)", reason: record.reason)
  }
}
