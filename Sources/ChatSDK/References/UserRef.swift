import ChatModel

/// A reference to a user.
public struct UserRef: Hashable, Sendable {
  /// The id of the user.
  public let id: String
  private let chat: ChatCore

  init(id: String, chat: ChatCore) {
    self.id = id
    self.chat = chat
  }

  public static func == (left: UserRef, right: UserRef) -> Bool { left.id == right.id && left.chat === right.chat }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// What others see of the user; nil where there is none.
  public func get() async throws(ChatError) -> UserSnapshot? {
    guard case .user(let user) = try await call(.get) else { throw .unexpectedReply }
    return user.map(UserSnapshot.init)
  }

  /// Makes the user where there is none.
  public func createIfNotExists(
    name: String, custom: [String: String]? = nil, locale: String? = nil, photoUrl: String? = nil, role: String? = nil,
    welcomeMessage: String? = nil, email: [String]? = nil, phone: [String]? = nil
  ) async throws(ChatError) {
    var patch = Self.patch(name, locale, photoUrl, role, welcomeMessage, email, phone)
    patch.custom = CustomPatch(custom?.mapValues { $0 })
    _ = try await call(.createIfNotExists(patch))
  }

  /// Changes the user, or makes them; nil leaves a field as it is.
  public func set(
    name: String? = nil, custom: [String: String?]? = nil, locale: String? = nil, photoUrl: String? = nil, role: String? = nil,
    welcomeMessage: String? = nil, email: [String]? = nil, phone: [String]? = nil
  ) async throws(ChatError) {
    var patch = Self.patch(name, locale, photoUrl, role, welcomeMessage, email, phone)
    patch.custom = CustomPatch(custom)
    _ = try await call(.set(patch))
  }

  /// Resets `photoUrl`, `custom`, `custom.KEY`, `locale`, `role`, `email`, `phone` or `welcomeMessage`.
  public func deleteFields(_ fields: String...) async throws(ChatError) {
    var all: [UserField] = []
    for name in fields {
      switch name {
      case "photoUrl": all.append(.photoUrl)
      case "custom": all.append(.custom)
      case "locale": all.append(.locale)
      case "role": all.append(.role)
      case "email": all.append(.email)
      case "phone": all.append(.phone)
      case "welcomeMessage": all.append(.welcomeMessage)
      default:
        let choices = "photoUrl, custom, custom.KEY, locale, role, email, phone or welcomeMessage"
        all.append(.customKey(try name.customKey(choices)))
      }
    }
    _ = try await call(.deleteFields(all))
  }

  /// The conversations in which the user is present, of those shared with the current user.
  public func wherePresent() async throws(ChatError) -> [String] {
    guard case .conversations(let ids) = try await call(.whereabouts) else { throw .unexpectedReply }
    return ids.map(\.text)
  }

  /// Watches the user.
  public func subscribe(onSnapshot: (@Sendable (_ snapshot: UserSnapshot?) -> Void)? = nil) -> UserSubscription {
    var tell: (@Sendable (UserSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let snapshot) = $0 { onSnapshot(snapshot) } } }
    return chat.subscribe(topic { .user($0) }, tell)
  }

  /// Watches whether the user is connected.
  public func subscribeOnline(onSnapshot: (@Sendable (_ snapshot: UserOnlineSnapshot?) -> Void)? = nil) -> UserOnlineSubscription {
    var tell: (@Sendable (UserOnlineSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let snapshot) = $0 { onSnapshot(snapshot) } } }
    return chat.subscribe(topic { .online($0) }, tell)
  }

  private func topic(_ make: @escaping (UserID) -> Topic) -> (UInt64) -> Result<Topic, ChatError> {
    { _ in Result { () throws(ChatError) in make(try chat.user(id)) } }
  }

  private static func patch(
    _ name: String?, _ locale: String?, _ photoUrl: String?, _ role: String?, _ welcomeMessage: String?, _ email: [String]?,
    _ phone: [String]?
  ) -> UserPatch {
    var patch = UserPatch()
    patch.name = name
    patch.locale = FieldPatch(locale)
    patch.photoUrl = FieldPatch(photoUrl)
    patch.role = FieldPatch(role)
    patch.welcomeMessage = FieldPatch(welcomeMessage)
    patch.email = FieldPatch(email)
    patch.phone = FieldPatch(phone)
    return patch
  }

  private func call(_ operation: UserOperation) async throws(ChatError) -> ChatReply {
    try await chat.call(.operation(.onUser(try chat.user(id), operation)))
  }
}
