/// What any user may see of a user.
package struct UserSnapshot: Hashable, Sendable {
  package let id: UserID
  package let name: String
  package let role: String
  package let photoUrl: String?
  package let locale: String?
  package let custom: CustomFields
  package let welcomeMessage: String?
  /// When the user was active last; nil where that is not kept or not shown.
  package let lastActiveAt: Timestamp?

  package init(
    id: UserID, name: String, role: String, photoUrl: String?, locale: String?, custom: CustomFields, welcomeMessage: String?,
    lastActiveAt: Timestamp? = nil
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.photoUrl = photoUrl
    self.locale = locale
    self.custom = custom
    self.welcomeMessage = welcomeMessage
    self.lastActiveAt = lastActiveAt
  }
}

/// Whether a user is connected.
package struct OnlineSnapshot: Hashable, Sendable {
  package let user: UserSnapshot
  package let isConnected: Bool

  package init(user: UserSnapshot, isConnected: Bool) {
    self.user = user
    self.isConnected = isConnected
  }
}
