import ChatModel

/// The open sessions of one user; a connection has at most one.
struct UserSessions {
  private var byEndpoint: [Endpoint: SessionRecord] = [:]

  var isEmpty: Bool { byEndpoint.isEmpty }
  var count: Int { byEndpoint.count }

  /// All sessions, the oldest first.
  var records: [SessionRecord] { byEndpoint.values.sorted { ($0.openedAt, $0.session) < ($1.openedAt, $1.session) } }

  /// The connections of all sessions.
  var endpoints: [Endpoint] { byEndpoint.keys.sorted { $0.order < $1.order } }

  mutating func add(_ session: SessionRecord) { byEndpoint[session.endpoint] = session }

  /// Gives a session a new end, in seconds since the epoch; one that is gone stays gone.
  mutating func refresh(_ endpoint: Endpoint, expiresAt: Int64?) {
    guard let old = byEndpoint[endpoint] else { return }
    byEndpoint[endpoint] = SessionRecord(
      session: old.session, endpoint: endpoint, kind: old.kind, role: old.role, openedAt: old.openedAt, expiresAt: expiresAt)
  }

  /// Takes a connection's session away; false when it has none.
  mutating func remove(_ endpoint: Endpoint) -> Bool { byEndpoint.removeValue(forKey: endpoint) != nil }
}
