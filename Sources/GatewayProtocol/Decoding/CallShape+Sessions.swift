import ChatModel

extension CallShape {
  static let ping = CallShape { .ping }

  static let sessionOpen = CallShape(
    optional("token", Read.string), optional("guest", ReadOpening.guest), make: ReadOpening.opening)

  static let sessionRefresh = CallShape(required("token", Read.string)) { .refreshSession(token: $0) }

  static let sessionClose = CallShape { .closeSession }

  static let fileToken = CallShape { .fileToken }

  static let sessionList = CallShape(required("user", Read.user)) { .listSessions($0) }

  static let sessionRevoke = CallShape(required("user", Read.user)) { .revokeSessions($0) }
}
