import ChatModel

// Whom the user does not see, where that is kept.
extension UserMachine {
  /// A call on the list, which only the user's own sessions make, and backends for them.
  mutating func changeMuted(_ operation: UserOperation, as call: CallID) -> [EngineAction] {
    guard var changed = record else {
      return [.reply(call, .failure(ChatError(.notFound, "There is no such user", field: "actAs")))]
    }
    if operation == .muted { return [.reply(call, .success(.muted(changed.muted)))] }
    do throws(ChatError) {
      guard let muted = try MuteList.changed(Set(changed.muted), by: operation, of: id) else { return [.reply(call, .success(.done))] }
      changed.muted = muted.sorted()
      return write(changed, then: .muted(call))
    } catch { return [.reply(call, .failure(error))] }
  }

  /// The list is kept: all sessions of the user hear of it before the reply.
  func tellMuted(_ user: UserRecord, as call: CallID) -> [EngineAction] {
    let open = sessions.endpoints
    return (open.isEmpty ? [] : [.tellMuted(open, Set(user.muted))]) + [.reply(call, .success(.done))]
  }
}
