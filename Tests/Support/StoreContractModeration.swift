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
}
