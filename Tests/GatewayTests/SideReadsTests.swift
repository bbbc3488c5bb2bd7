import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct SideReadsTests {
  private static func page(_ serial: UInt64) -> SideRead {
    SideRead(call: CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial), query: .users([]), answer: .conversations)
  }

  @Test func `an answer is made into the reply that was asked for, and into none where it answers something else`() {
    let (ann, id) = (UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1), ConversationID(stored: "general"))
    let (call, gone) = (Self.page(1).call, UserID(stored: "gone"))
    let page = MessagePage(messages: [], quoted: [], users: [], reachedEnd: true)
    let history = SideRead(call: call, query: .history(id, .newest, limit: 3, viewer: UserID(stored: "ann")), answer: .history(id))
    let present = SideRead(
      call: call, query: .users([ann.id, gone]), answer: .present(PresentPage(users: [ann.id, gone], count: 7, reachedEnd: false)))
    let whereabouts = SideRead(call: call, query: .sharedConversations(ann.id, ann.id, limit: 3), answer: .conversations)
    let visible = SideRead(
      call: call, query: .visibleHistory(id, .newest, limit: 3, viewer: ann.id, hiding: [gone]), answer: .history(id))
    let nobody = UserRecord(id: gone, name: "gone", createdAt: 0)
    let cases: [(SideRead, StoreAnswer, ChatReply?)] = [
      (history, .history(page, OwnReactions()), .history([], loadedAll: true)), (history, .users([]), nil),
      (visible, .history(page, OwnReactions()), .history([], loadedAll: true)),
      (present, .users([ann]), .present([ann.snapshot, nobody.snapshot], count: 7, loadedAll: false)), (present, .flag(true), nil),
      (whereabouts, .conversations([id]), .conversations([id])), (whereabouts, .messages(page), nil),
    ]
    let reports = SideRead(call: call, query: .reports(id, before: nil, limit: 1), answer: .reports(id))
    let none = ReportPage(reports: [], users: [], reachedEnd: true)
    expectEqual(reports.reply(to: .reports(none)), .reports([], loadedAll: true), "reports")
    for (read, answer, reply) in cases { expectEqual(read.reply(to: answer), reply, "\(read)") }
  }

  @Test func `a few pages are read at once, the others in their order, and none for who is gone`() {
    var reads = SideReads()
    for serial in 1...UInt64(SideReads.maxRunning) { expect(reads.begin(Self.page(serial)), "\(serial) is read") }
    for serial in 11...15 as ClosedRange<UInt64> { expect(!reads.begin(Self.page(serial)), "\(serial) waits") }
    expect(!reads.cancel(Self.page(1).call), "it is at the store")
    expect(reads.cancel(Self.page(12).call), "it waits")
    expect(!reads.cancel(Self.page(12).call), "once")
    expectEqual([reads.finished(), reads.finished()].map { $0?.call.serial }, [11, 13], "in their order")
    expect(reads.cancel(Self.page(15).call) && reads.cancel(Self.page(14).call), "the last two")
    for _ in 0..<SideReads.maxRunning { expectEqual(reads.finished(), nil, "nothing waits") }
    for serial in 21...20 + UInt64(SideReads.maxRunning) { expect(reads.begin(Self.page(serial)), "\(serial): all places are free") }
    expect(!reads.begin(Self.page(40)), "and no more")
  }
}
