/// Milliseconds since the Unix epoch.
package typealias Timestamp = Int64

/// A user as it is kept.
package struct UserRecord: Hashable, Sendable {
  package let id: UserID
  /// The name that others see: 1 to 200 scalars.
  package var name: String
  /// The name of a configured role.
  package var role: String
  package var photoUrl: String?
  /// An IETF language tag.
  package var locale: String?
  package var custom: CustomFields
  package var welcomeMessage: String?
  /// Addresses for notifications; never shown to other users.
  package var email: [String]
  /// Telephone numbers for notifications; never shown to other users.
  package var phone: [String]
  package var createdAt: Timestamp
  /// When the record last changed, by the store's clock.
  package var changedAt: Timestamp
  /// Grows with every change; the newer of two copies has the higher one.
  package var revision: Int64
  /// Tokens issued at or before this second are refused; nil when none was ever revoked.
  package var revokedAt: Int64?
  /// When the user was last known to be connected; nil where that is not kept.
  ///
  /// No change of it counts as a change of the record.
  package var lastActiveAt: Timestamp?
  /// Whom the user muted, where that is kept; in the order of their ids, never shown to others.
  ///
  /// No change of it counts as a change of the record.
  package var muted: [UserID]

  /// The role of users whom nothing gave another.
  package static let defaultRole = "default"

  /// Makes a user with nothing but a name.
  package init(id: UserID, name: String, createdAt: Timestamp) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    role = Self.defaultRole
    custom = CustomFields()
    email = []
    phone = []
    muted = []
    changedAt = createdAt
    revision = 1
  }

  /// What other users see of it.
  package var snapshot: UserSnapshot { snapshot(showsActivity: false) }

  /// What other users see of it, with the time of the last activity or without.
  package func snapshot(showsActivity: Bool) -> UserSnapshot {
    UserSnapshot(
      id: id, name: name, role: role, photoUrl: photoUrl, locale: locale, custom: custom, welcomeMessage: welcomeMessage,
      lastActiveAt: showsActivity ? lastActiveAt : nil)
  }
}
