import ChatModel

/// What any user may see of a user.
public struct UserSnapshot: Hashable, Sendable {
  public let id: String
  public let name: String
  /// The name of the user's role.
  public let role: String
  public let photoUrl: String?
  /// An IETF language tag.
  public let locale: String?
  /// The application's own fields.
  public let custom: [String: String]
  public let welcomeMessage: String?
  /// When the user was active last, Unix milliseconds; nil where that is not kept or not shown.
  public let lastActiveAt: Int64?

  init(_ user: ChatModel.UserSnapshot) {
    id = user.id.text
    name = user.name
    role = user.role
    photoUrl = user.photoUrl
    locale = user.locale
    custom = user.custom.dictionary
    welcomeMessage = user.welcomeMessage
    lastActiveAt = user.lastActiveAt
  }
}

/// Whether a user is connected.
public struct UserOnlineSnapshot: Hashable, Sendable {
  public let user: UserSnapshot
  public let isConnected: Bool

  init(_ online: ChatModel.OnlineSnapshot) {
    user = UserSnapshot(online.user)
    isConnected = online.isConnected
  }
}

extension CustomFields {
  /// The pairs as Swift has them; of two keys that look alike one is left.
  var dictionary: [String: String] { Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last } }
}
