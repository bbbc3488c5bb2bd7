import ChatModel

extension CallShape {
  static let moderationSet = CallShape(
    conversation, user, optional("ban", Read.flag), optional("mute", Read.flag), optional("reason", Read.reason)
  ) { conversation, user, ban, mute, reason in
    .of(conversation, .restrict(user, Restriction(isBanned: ban ?? false, isMuted: mute ?? false, reason: reason)))
  }

  static let moderationList = CallShape(conversation, optional("after", Read.user), optional("limit", Read.listLimit)) {
    .of($0, .listRestrictions(UserRange(after: $1, limit: $2 ?? CallLimits.defaultListLimit)))
  }
}
