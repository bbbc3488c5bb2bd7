import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  static func checkReactions(_ store: StoreUnderTest) async {
    var store = store
    let (id, heart) = (Make.id("a"), ReactionEmoji(stored: ":heart \u{0} \"\\:"))
    var record = Make.conversation("a")
    await store.commit(.putConversation(record), .putParticipant(id, Make.participant("ann")), .putUser(Make.fullUser("ann")))
    await store.commit(
      .appendMessage(id, Make.message(1), key: nil), .appendMessage(id, Make.message(2, from: "bob", answering: 1), key: nil),
      .appendMessage(id, Make.message(3, answering: 2), key: nil))
    func compare(_ comment: String) async {
      await store.compare(
        .conversation(id), .messages(id, .newest, limit: 9), .history(id, .newest, limit: 2, viewer: Make.user("ann")),
        .history(id, .before(2), limit: 9, viewer: Make.user("bob")), .history(id, .after(1), limit: 1, viewer: Make.user("bob")),
        .history(Make.id("nowhere"), .newest, limit: 9, viewer: Make.user("ann")),
        .reactions(id, of: [Make.user("bob"), Make.user("ann"), Make.user("nobody")], on: [3, 1, 2, 77]),
        .reactions(id, of: [], on: [1]), .reactions(id, of: [Make.user("ann")], on: []),
        .reactions(Make.id("nowhere"), of: [Make.user("ann")], on: [1]), .conversationList(Make.user("ann"), after: nil, limit: 9),
        comment: comment)
    }
    await compare("none")
    var first = Make.message(1)
    first.reactions = [ReactionCount(emoji: heart, count: 1), ReactionCount(emoji: Make.emoji, count: 2)]
    await store.commit(
      .putReaction(id, Make.reaction(1, by: "ann", heart)), .putReaction(id, Make.reaction(1, by: "ann")),
      .putReaction(id, Make.reaction(1, by: "bob")), .putReaction(id, Make.reaction(1, by: "bob")), .updateMessage(id, first))
    await compare("to what is quoted")
    record.pinned = 2
    await store.commit(.putConversation(record))
    await compare("pinned, with a quote")
    record.pinned = 77
    await store.commit(.putConversation(record))
    await compare("what is pinned is not there")
    record.pinned = 1
    first.reactions.removeLast()
    await store.commit(
      .putConversation(record), .removeReaction(id, Make.reaction(1, by: "bob")), .removeReaction(id, Make.reaction(1, by: "bob")),
      .updateMessage(id, first))
    await compare("one taken back")
    await store.commit(.putReaction(Make.id("nowhere"), Make.reaction(1, by: "ann")), comment: "to nothing")
    await store.commit(.removeReaction(Make.id("nowhere"), Make.reaction(1, by: "ann")), comment: "from nothing")
    await store.commit(.updateMessage(id, Make.tombstone(of: first, revision: 9)))
    await compare("a tombstone")
    await store.commit(.deleteConversation(id), .putConversation(Make.conversation("a")), .appendMessage(id, first, key: nil))
    await compare("deleted and made again")
  }
}
