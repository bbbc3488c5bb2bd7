import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  static func checkThreads(_ store: StoreUnderTest) async {
    var store = store
    let (a, ann, bob, cy) = (Make.id("a"), Make.user("ann"), Make.user("bob"), Make.user("cy"))
    let (first, second) = (Make.thread(1, in: "a"), Make.thread(2, in: "a"))
    var reader = Make.participant("ann")
    reader.access = .read
    let picture = file("t", of: "ann")
    var withFile = Make.message(9)
    withFile.content = [.file(FileBlock(picture.id, picture.details))]
    let delete = { Change.updateMessage(a, Make.tombstone(of: Make.message($0), revision: 90)) }
    let steps: [Change] = [
      // Nowhere, and under nothing.
      .putConversation(Make.thread(1, in: "a", replies: 1)), .putConversation(Make.conversation("a")),
      .putConversation(Make.thread(1, in: "a", replies: 1)), .putParticipant(first, Make.participant("ann")),
      .putParticipant(a, Make.participant("ann")), .putParticipant(a, Make.participant("bob")),
      .appendMessage(a, Make.message(1), key: nil), .appendMessage(a, Make.message(2, from: "bob"), key: nil),
      // The first replies; who takes no part in the conversation does not come in.
      .putConversation(Make.thread(1, in: "a", replies: 1)), .appendMessage(first, Make.message(7), key: Make.key("ann", "k")),
      .putParticipant(first, Make.participant("ann")), .putParticipant(first, Make.participant("cy")),
      .putParticipant(first, Make.participant("bob")), .putConversation(Make.thread(1, in: "a", replies: 2, revision: 8)),
      .appendMessage(first, Make.message(8, from: "bob", answering: 7), key: nil),
      .putConversation(Make.thread(2, in: "a", replies: 1, revision: 3)), .appendMessage(second, Make.message(3), key: nil),
      .putParticipant(second, Make.participant("bob")),
      // Access follows; an edit of the root changes nothing of it.
      .putParticipant(a, reader), .putParticipant(first, Make.participant("ann", marker: 8)),
      .putRestriction(a, Make.restriction("bob", isMuted: true, reason: "r")),
      .updateMessage(a, Make.message(1, text: "edited")), .updateMessage(first, Make.tombstone(of: Make.message(8), revision: 9)),
      // Who takes part in the conversation may read the thread's files.
      .putFile(picture), .appendMessage(first, withFile, key: nil),
      // With a place its threads' go, and do not come back with it; one in a thread alone may go too.
      .removeParticipant(a, bob, revision: 10), .putParticipant(first, Make.participant("bob")),
      .putParticipant(a, Make.participant("bob")), .putParticipant(first, Make.participant("bob")),
      .removeParticipant(first, ann, revision: 11), .putParticipant(first, Make.participant("ann")),
      // With the root its thread goes, for good.
      delete(2), .appendMessage(second, Make.message(4), key: nil), .putConversation(Make.thread(2, in: "a", replies: 1)), delete(2),
      // A thread that is deleted may be made again; with the conversation all go.
      .deleteConversation(first), .putConversation(Make.thread(1, in: "a", replies: 1, revision: 12)),
      .appendMessage(first, Make.message(12), key: nil), .deleteConversation(a), .putConversation(Make.thread(1, in: "a", replies: 1)),
      .putConversation(Make.conversation("a")), .appendMessage(a, Make.message(1), key: nil),
    ]
    for (step, change) in steps.enumerated() {
      await store.commit(change, comment: "step \(step)")
      let roots = [1, 2, 3].compactMap { ThreadRoot(MessageID($0, in: a), in: a) }
      await store.compare(
        roots.map { .root($0, of: [ann, bob, cy]) } + [ann, bob, cy].map { .conversationList($0, after: nil, limit: 9) }
          + [
            .conversation(a), .conversation(first), .conversation(second), .messages(a, .newest, limit: 9),
            .messages(a, .after(1), limit: 1), .message(a, 1), .message(a, 2), .messages(first, .newest, limit: 9),
            .areTogether(ann, bob), .areTogether(ann, cy), .unreadConversations(ann), .sent(first, ann, clientMessageId: "k"),
            .file(picture.id, for: bob), .file(picture.id, for: cy),
          ], comment: "step \(step)")
    }
  }
}
