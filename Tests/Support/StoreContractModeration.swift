import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  static func checkRestrictions(_ store: StoreUnderTest) async {
    var store = store
    let (a, b) = (Make.id("a"), Make.id("b"))
    await store.commit(.putConversation(Make.conversation("a")), .putConversation(Make.conversation("b")))
    for (step, change) in [
      Change.putRestriction(a, Make.restriction("bob", isBanned: true, reason: "é \"")), .putRestriction(a, Make.restriction("ann")),
      .putRestriction(b, Make.restriction("bob")), .putRestriction(a, Make.restriction("bob", isMuted: true)),
      .removeRestriction(a, Make.user("ann")), .removeRestriction(a, Make.user("ann")),
      .removeRestriction(Make.id("nowhere"), Make.user("ann")),
      .putParticipant(a, Make.participant("bob")), .removeParticipant(a, Make.user("bob"), revision: 5),
      .putRestriction(Make.id("nowhere"), Make.restriction("bob")),
      .deleteConversation(a), .putConversation(Make.conversation("a")),
    ].enumerated() {
      await store.commit(change, comment: "step \(step)")
      await store.compare(.conversation(a), .conversation(b), comment: "step \(step)")
    }
  }

  static func checkReports(_ store: StoreUnderTest) async {
    var store = store
    let (a, b) = (Make.id("a"), Make.id("b"))
    await store.commit(.putUser(Make.fullUser("ann")), .putUser(Make.fullUser("bob")))
    await store.commit(.putConversation(Make.conversation("a")), .putConversation(Make.conversation("b")))
    for (step, change) in [
      Change.putReport(a, Make.report(5, on: 1, by: "ann")), .putReport(a, Make.report(6, on: 1, by: "bob", text: "")),
      .putReport(a, Make.report(7, on: 2, by: "ann", sender: nil)), .putReport(b, Make.report(7, on: 2, by: "nobody")),
      .putReport(a, Make.report(9, on: 1, by: "ann", text: "é \"")), .putReport(Make.id("nowhere"), Make.report(1, on: 1, by: "ann")),
      .removeReports(a, 2), .removeReports(a, 2), .removeReports(Make.id("nowhere"), 1), .deleteConversation(a),
      .putConversation(Make.conversation("a")),
    ].enumerated() {
      await store.commit(change, comment: "step \(step)")
      for limit in [0, 1, 2, 9] {
        await store.compare(
          .reports(a, before: nil, limit: limit), .reports(a, before: 7, limit: limit), .reports(b, before: nil, limit: limit),
          .reports(Make.id("nowhere"), before: nil, limit: limit), comment: "step \(step)")
      }
    }
  }

  static func checkInvitations(_ store: StoreUnderTest) async {
    var store = store
    await store.commit(.putUser(Make.fullUser("ann")), .putUser(Make.fullUser("bob")))
    // Same times, ids whose order by bytes is not that of the alphabet.
    let names = ["b", "a", "Z", "é", "c"]
    for name in names { await store.commit(.putConversation(Make.conversation(name))) }
    var changes = names.enumerated().map { Change.putInvitation(Make.id($1), Make.invitation("bob", by: "ann", at: Int64($0 / 2))) }
    changes += [
      .putInvitation(Make.id("a"), Make.invitation("ann", by: "nobody", at: 3)),
      .putInvitation(Make.id("a"), Make.invitation("bob", by: "eve", at: 9)),
      .removeInvitation(Make.id("b"), Make.user("bob")), .removeInvitation(Make.id("b"), Make.user("bob")),
      .removeInvitation(Make.id("nowhere"), Make.user("bob")), .putInvitation(Make.id("nowhere"), Make.invitation("bob", by: "ann", at: 1)),
      .putParticipant(Make.id("a"), Make.participant("bob")), .deleteConversation(Make.id("a")),
      .putConversation(Make.fullConversation("a")),
    ]
    for (step, change) in changes.enumerated() {
      await store.commit(change, comment: "step \(step)")
      for user in ["bob", "ann", "nobody"] {
        await store.compare([0, 1, 3, 9].map { .invitations(Make.user(user), limit: $0) }, comment: "step \(step)")
      }
      await store.compare(.conversation(Make.id("a")), .conversation(Make.id("b")), comment: "step \(step)")
    }
  }
}
