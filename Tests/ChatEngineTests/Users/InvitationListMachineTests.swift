import ChatEngine
import ChatModel
import TestSupport
import Testing

private let bob = UserID(stored: "bob")
private let ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1)
private let moment = Moment(wall: 1, tick: 10)
private let query = EngineAction.read([.invitations(bob, limit: ChatSettings.maxShownInvitations)])

private func subscriber(_ serial: UInt64) -> SubscriberID { SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial) }

private func page(_ rooms: String..., by inviter: UserRecord = ann) -> InvitationPage {
  InvitationPage(
    entries: rooms.map { room in
      let record = ConversationRecord(id: ConversationID(stored: room), type: .group, pair: nil, createdAt: 1)
      return InvitationPage.Entry(record: record, invitation: InvitationRecord(user: bob, invitedBy: inviter.id, invitedAt: 5))
    }, users: [inviter])
}

private func answer(_ page: InvitationPage) -> Result<[StoreAnswer], StoreError> { .success([.invitations(page)]) }

private func rooms(_ actions: [EngineAction]) -> [String] {
  actions.map { action in
    switch action {
    case .publish(.invitations, .invitations(let shown), to: let subscribers):
      "\(shown.map { "\($0.conversation) by \($0.invitedBy.name)" }) to \(subscribers.map(\.serial))"
    case query: "read"
    case .wake(let tick): "wake \(tick)"
    default: "\(action)"
    }
  }
}

@Test func `a list is read for each subscriber and after each change, and shown to whom it is new`() {
  var machine = InvitationListMachine(user: bob)
  expect(machine.isIdle, "nobody watches")
  expectEqual(rooms(machine.subscribed(subscriber(1))), ["read"], "the first")
  expectEqual(rooms(machine.subscribed(subscriber(2))), [], "one question at a time")
  expectEqual(rooms(machine.answered(answer(page("a")), at: moment)), ["[\"a by Ann\"] to [1, 2]", "read"], "asked again for the second")
  expectEqual(rooms(machine.answered(answer(page("a")), at: moment)), [], "nothing new")
  expectEqual(rooms(machine.subscribed(subscriber(3))), ["read"], "a third")
  expectEqual(rooms(machine.answered(answer(page("a")), at: moment)), ["[\"a by Ann\"] to [3]"], "alone")
  expectEqual(rooms(machine.changed()), ["read"], "a change")
  expectEqual(rooms(machine.changed()), [], "another meanwhile")
  expectEqual(rooms(machine.unsubscribed(subscriber(2))), [], "one less")
  expectEqual(
    rooms(machine.answered(answer(page("b", "a")), at: moment)), ["[\"b by Ann\", \"a by Ann\"] to [1, 3]", "read"], "both, and again")
  expectEqual(rooms(machine.answered(answer(page()), at: moment)), ["[] to [1, 3]"], "empty")
  expectEqual(rooms(machine.answered(answer(page("x")), at: moment)), [], "an answer that nobody asked for")
  for serial in [1, 3] as [UInt64] { _ = machine.unsubscribed(subscriber(serial)) }
  expect(machine.isIdle, "nobody watches any more")
}

@Test func `a failure is tried again, and a user who is shown is shown anew`() {
  var machine = InvitationListMachine(user: bob)
  _ = machine.subscribed(subscriber(1))
  expectEqual(rooms(machine.answered(.failure(StoreError(.full, code: 13, "full")), at: moment)), ["wake 1010"], "later")
  expectEqual(rooms(machine.changed()), [], "until then nothing is asked")
  expectEqual(rooms(machine.userChanged(ann)), [], "nor by a user")
  expectEqual(rooms(machine.timeReached()), ["read"], "again")
  expectEqual(rooms(machine.timeReached()), [], "once")
  expectEqual(rooms(machine.userChanged(ann)), [], "while it is read")
  expectEqual(rooms(machine.answered(answer(page("a")), at: moment)), ["[\"a by Ann\"] to [1]", "read"], "asked again for the user")
  expectEqual(rooms(machine.answered(answer(page("a")), at: moment)), [], "nothing new")
  var renamed = ann
  renamed.name = "Anna"
  expectEqual(rooms(machine.userChanged(renamed)), ["read"], "who is shown")
  expectEqual(rooms(machine.answered(answer(page("a", by: renamed)), at: moment)), ["[\"a by Anna\"] to [1]"], "by the new name")
  expectEqual(rooms(machine.userChanged(UserRecord(id: bob, name: "Bob", createdAt: 1))), [], "who is not shown")
  let nobody = InvitationPage(entries: page("a").entries, users: [])
  _ = machine.changed()
  expectEqual(rooms(machine.answered(answer(nobody), at: moment)), ["[\"a by ann\"] to [1]"], "who was erased, by the id")
}
