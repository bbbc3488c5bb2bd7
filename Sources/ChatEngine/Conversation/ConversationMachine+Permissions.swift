import ChatModel

/// Who may do what: the questions that all calls share.
extension ConversationMachine {
  /// Lets participants pass, and the application; returns the place of a participant.
  func requireInside(_ caller: Caller) throws(ChatError) -> ParticipantRecord? {
    if let place = place(of: caller.user) { return place }
    try requireRoot(caller)
    if caller.isActing { try requireSelf(caller) }
    guard state.record != nil, caller.isApplication else { throw .notParticipant }
    return nil
  }

  /// Lets pass who may write.
  @discardableResult
  func requireWriter(_ caller: Caller) throws(ChatError) -> ParticipantRecord? {
    let place = try requireInside(caller)
    if let place, place.access == .read, caller.kind != .app { throw .readOnly }
    return place
  }

  /// Lets pass who may change the conversation and the places of others: who may write in it, and who manages conversations, in it or not.
  func requireEditor(_ caller: Caller) throws(ChatError) {
    guard state.record != nil else { throw .notParticipant }
    // A backend that acts for somebody may do what they may.
    if caller.isActing || !isManager(caller) { try requireWriter(caller) }
  }

  /// Lets pass who may create and change conversations and places in them.
  func requireSync(_ caller: Caller) throws(ChatError) {
    guard settings.syncConversations || isManager(caller) else { throw Self.syncDisabled }
  }

  /// Whether the caller may do what is off for others.
  func isManager(_ caller: Caller) -> Bool { caller.kind == .app || caller.permissions.manageConversations }

  /// Lets pass whose role allows an action on messages of a sender.
  func require(_ scope: Permissions.Scope, of caller: Caller, on sender: UserID?, to action: String) throws(ChatError) {
    if caller.kind == .app { return }
    switch scope {
    case .all: return
    case .own where sender == caller.user: return
    case .own: throw ChatError(.forbidden, "Your role lets you \(action) your own messages only")
    case .none: throw ChatError(.forbidden, "Your role does not let you \(action) messages")
    }
  }

  /// Checks what a participant wants to change of their own place and of the conversation.
  ///
  /// `docs/protocol.md`, What the calls mean: nobody raises their own access; who may only read may change nothing but `notify`. The same holds for
  /// everybody where clients may not change conversations.
  func requireOwnChange(
    access: Access?, beyondNotify: Bool, at place: ParticipantRecord, by caller: Caller
  ) throws(ChatError) {
    if caller.kind == .app { return }
    if access == .readWrite, place.access == .read { throw Self.raisesAccess }
    guard beyondNotify else { return }
    if place.access == .read, !isManager(caller) { throw .readOnly }
    try requireSync(caller)
  }

  /// What a caller who lets themselves in gets for their place: who might only read when they left comes back so, and may change no more
  /// on the way than if they had stayed.
  func ownPlace(_ patch: ParticipantPatch, changesConversation: Bool, by caller: Caller) throws(ChatError) -> ParticipantPatch {
    if patch.access != .keep { try refuseInThread("access") }
    let access = thread == nil ? state.roster.highestAccess(ofReturning: caller.user) : place(of: caller.user)?.access
    guard access == .read else { return patch }
    if caller.kind != .app {
      if patch.newAccess == .readWrite { throw Self.raisesAccess }
      if changesConversation { throw .readOnly }
    }
    var patch = patch
    if patch.access == .keep { patch.access = .set(.read) }
    return patch
  }

  static let syncDisabled = ChatError(.syncDisabled, "Clients may not change conversations here (sync.conversations is off)")

  private static let raisesAccess = ChatError(.forbidden, "You may not raise your own access", field: "access")
}

extension ParticipantPatch {
  /// The access after the change; nil when it is kept.
  var newAccess: Access? {
    switch access {
    case .keep: nil
    case .reset: .readWrite
    case .set(let access): access
    }
  }

  /// Writes the change to a place.
  func apply(to place: inout ParticipantRecord) {
    access.apply(to: &place.access, default: .readWrite)
    notify.apply(to: &place.notify, default: .always)
  }
}
