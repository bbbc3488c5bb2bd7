import ChatModel

@testable import ChatEngine

/// Values that the tests of users share.
enum UserSamples {
  static let ann = UserID(stored: "ann")
  static let bob = UserID(stored: "bob")
  static let guest = UserID(stored: "guest-1")

  static func caller(_ user: UserID, _ kind: Caller.Kind = .user, manages: Bool = false) -> Caller {
    var permissions = Permissions()
    permissions.manageUsers = manages
    return Caller(user: user, kind: kind, permissions: permissions)
  }

  static func endpoint(_ connection: UInt64, loop: Int32 = 0) -> Endpoint { Endpoint(loop: loop, connection: connection) }

  /// The call of a number on the connection of the same number.
  static func call(_ number: UInt64) -> CallID { CallID(endpoint: endpoint(number), serial: 1) }

  static func subscriber(_ number: UInt64) -> SubscriberID { SubscriberID(endpoint: endpoint(number), serial: number) }

  static func moment(_ tick: UInt64) -> Moment { Moment(wall: 50_000 + Int64(tick), tick: tick) }

  static func request(
    _ user: UserID, _ kind: Caller.Kind = .user, name: String? = "Ann", role: String? = nil, issuedAt: Int64? = 1_000,
    expiresAt: Int64? = nil
  ) -> SessionRequest {
    SessionRequest(user: user, kind: kind, role: role, session: "s", name: name, issuedAt: issuedAt, expiresAt: expiresAt)
  }

  static func session(_ number: UInt64, _ kind: Caller.Kind = .user, role: String = "default", openedAt: Timestamp = 50_000)
    -> SessionRecord
  {
    SessionRecord(session: "s", endpoint: endpoint(number), kind: kind, role: role, openedAt: openedAt, expiresAt: nil)
  }

  static func record(_ user: UserID, name: String = "Ann", revision: Int64 = 1, role: String = "default") -> UserRecord {
    var record = UserRecord(id: user, name: name, createdAt: 7)
    record.revision = revision
    record.role = role
    return record
  }

  static func renaming(_ name: String) -> UserPatch {
    var patch = UserPatch()
    patch.name = name
    return patch
  }

  static let broken = StoreError(.inputOutput, code: 10, "The disk cannot be read")
}
