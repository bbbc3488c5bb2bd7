import ChatModel

extension CallShape {
  static let presenceHere = CallShape(conversation, optional("limit", Read.historyLimit), optional("after", Read.user)) {
    .of($0, .here(limit: $1 ?? CallLimits.defaultHistoryLimit, after: $2))
  }

  static let presenceWhere = CallShape(user) { .chat(.onUser($0, .whereabouts)) }
}
