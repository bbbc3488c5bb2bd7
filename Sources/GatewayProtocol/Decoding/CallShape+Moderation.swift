import ChatModel

extension CallShape {
  static let conversationInvite = CallShape(conversation, required("users", ReadLists.users)) { .of($0, .invite($1)) }

  static let conversationInvitees = CallShape(conversation, optional("after", Read.user), optional("limit", Read.listLimit)) {
    .of($0, .listInvitees(UserRange(after: $1, limit: $2 ?? CallLimits.defaultListLimit)))
  }

  static let conversationReport = CallShape(conversation, message, required("reason", Read.reason)) {
    .of($0, .report(.find($1, in: $0), reason: $2))
  }

  static let moderationReports = CallShape(conversation, optional("before", Read.string), optional("limit", Read.listLimit)) {
    .of($0, .listReports(ReportRange(before: .find($1, in: $0), limit: $2 ?? CallLimits.defaultListLimit)))
  }

  static let moderationDismiss = CallShape(conversation, message) { .of($0, .dismissReports(.find($1, in: $0))) }

  static let moderationSet = CallShape(
    conversation, user, optional("ban", Read.flag), optional("mute", Read.flag), optional("reason", Read.reason)
  ) { conversation, user, ban, mute, reason in
    .of(conversation, .restrict(user, Restriction(isBanned: ban ?? false, isMuted: mute ?? false, reason: reason)))
  }

  static let moderationList = CallShape(conversation, optional("after", Read.user), optional("limit", Read.listLimit)) {
    .of($0, .listRestrictions(UserRange(after: $1, limit: $2 ?? CallLimits.defaultListLimit)))
  }
}
