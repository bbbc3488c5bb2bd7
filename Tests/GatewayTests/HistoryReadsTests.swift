import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct HistoryReadsTests {
  private static func page(_ serial: UInt64) -> HistoryReads.Page {
    let id = ConversationID(stored: "general")
    return HistoryReads.Page(
      call: CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial), conversation: id, query: .users([]))
  }

  @Test func `a few pages are read at once, the others in their order, and none for who is gone`() {
    var reads = HistoryReads()
    for serial in 1...UInt64(HistoryReads.maxRunning) { expect(reads.begin(Self.page(serial)), "\(serial) is read") }
    for serial in 11...15 as ClosedRange<UInt64> { expect(!reads.begin(Self.page(serial)), "\(serial) waits") }
    expect(!reads.cancel(Self.page(1).call), "it is at the store")
    expect(reads.cancel(Self.page(12).call), "it waits")
    expect(!reads.cancel(Self.page(12).call), "once")
    expectEqual([reads.finished(), reads.finished()].map { $0?.call.serial }, [11, 13], "in their order")
    expect(reads.cancel(Self.page(15).call) && reads.cancel(Self.page(14).call), "the last two")
    for _ in 0..<HistoryReads.maxRunning { expectEqual(reads.finished(), nil, "nothing waits") }
    for serial in 21...20 + UInt64(HistoryReads.maxRunning) { expect(reads.begin(Self.page(serial)), "\(serial): all places are free") }
    expect(!reads.begin(Self.page(40)), "and no more")
  }
}
