import ChatModel

extension CallShape {
  static let userGet = CallShape(user) { .chat(.onUser($0, .get)) }

  static let userCreateIfNotExists = writing(custom: newCustom) { .createIfNotExists($0) }

  static let userSet = writing(custom: changedCustom) { .set($0) }

  static let userDeleteFields = CallShape(user, required("fields", ReadLists.userFields)) { .chat(.onUser($0, .deleteFields($1))) }

  static let userMute = CallShape(user) { .chat(.onSelf(.mute($0))) }

  static let userUnmute = CallShape(user) { .chat(.onSelf(.unmute($0))) }

  static let userMuted = CallShape { .chat(.onSelf(.muted)) }

  private static func writing(
    custom: Parameter<CustomPatch>, _ operation: @escaping @Sendable (UserPatch) -> UserOperation
  ) -> CallShape {
    CallShape(
      // A user has always a name, so that there is no default to go back to.
      user, kept("name", Read.name), patch("photoUrl", Read.url), custom, patch("locale", Read.locale),
      patch("role", Read.role), patch("email", ReadLists.addresses), patch("phone", ReadLists.addresses),
      patch("welcomeMessage", Read.welcomeMessage)
    ) { user, name, photoUrl, custom, locale, role, email, phone, welcomeMessage in
      var patch = UserPatch()
      patch.name = name
      patch.photoUrl = photoUrl
      patch.custom = custom
      patch.locale = locale
      patch.role = role
      patch.email = email
      patch.phone = phone
      patch.welcomeMessage = welcomeMessage
      return .chat(.onUser(user, operation(patch)))
    }
  }
}
