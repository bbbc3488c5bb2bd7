import ChatEngine
import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct PendingCallsTests {
  private static func waiting(_ id: Int64?) -> WaitingCall {
    WaitingCall(call: ClientCall(id: id.map { RequestID($0) }, request: .success(.ping)), startedAt: 5, batch: nil)
  }

  @Test func `calls are found by their number, and ids are in use until they are answered`() {
    var calls = PendingCalls()
    expect(calls.arrived(RequestID(1)), "a free id")
    expect(!calls.arrived(RequestID(1)), "the same again")
    expect(calls.arrived(RequestID(2)), "another")
    calls.answered(RequestID(1))
    expect(calls.arrived(RequestID(1)), "free again")
    calls.answered(RequestID(9))
    expectEqual(calls.count, 0, "ids are no calls")
    for serial in 1...3 as ClosedRange<UInt64> { calls.add(PendingCall(Self.waiting(Int64(serial))), serial: serial) }
    expectEqual(calls.count, 3, "three")
    expectEqual(calls.take(serial: 2)?.id, RequestID(2), "in any order")
    expect(calls.take(serial: 2) == nil, "once")
    expect(calls.take(serial: 7) == nil, "unknown")
    expectEqual(calls.take(serial: 1)?.startedAt, 5, "when it came")
    calls.add(PendingCall(ownAt: 6, as: .persist(before: Self.waiting(4))), serial: 4)
    let own = calls.take(serial: 4)
    expect(own != nil && own?.id == nil && own?.method == nil, "a call of our own has no name")
    calls.removeAll()
    expect(calls.take(serial: 3) == nil && calls.arrived(RequestID(2)), "all are given up, and their ids")
  }

  @Test func `a page that runs is found by its subscription, and is shared`() {
    var calls = PendingCalls()
    let (one, other) = (
      SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1),
      SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: 2)
    )
    expectEqual(calls.runningPage(of: one), nil, "none runs")
    calls.add(PendingCall(Self.waiting(1), as: .page(of: one)), serial: 10)
    calls.add(PendingCall(Self.waiting(2), as: .joinedPage(of: 10)), serial: 11)
    calls.add(PendingCall(Self.waiting(3)), serial: 12)
    calls.add(PendingCall(Self.waiting(4), as: .joinedPage(of: 10)), serial: 13)
    expectEqual(calls.runningPage(of: one), 10, "one runs")
    expectEqual(calls.runningPage(of: other), nil, "none of another subscription")
    expectEqual(calls.count, 4, "those who joined count too")
    expectEqual(calls.takeJoined(to: 12).count, 0, "nobody joined")
    expect(calls.take(serial: 10) != nil, "answered")
    expectEqual(calls.takeJoined(to: 10).map(\.id), [RequestID(2), RequestID(4)], "in order")
    expectEqual(calls.takeJoined(to: 10).count, 0, "once")
    expectEqual(calls.runningPage(of: one), nil, "it is over")
    expectEqual(calls.count, 1, "another call")
  }

  @Test func `calls before their time keep their order, and can be cancelled`() {
    var calls = PendingCalls()
    let general = ConversationID(stored: "general")
    for id in [1, 2, nil, 3] as [Int64?] { calls.hold(Self.waiting(id)) }
    calls.add(PendingCall(Self.waiting(4)), serial: 40, in: general)
    calls.add(PendingCall(Self.waiting(5)), serial: 50)
    expectEqual(calls.count, 6, "they count too")
    let cases: [(Int64, PendingCalls.Cancellation)] = [
      (2, .answer), (4, .ask(general, serial: 40)), (5, .nothing), (6, .nothing),
    ]
    for (id, expected) in cases { expectEqual(calls.cancellation(of: RequestID(id)), expected, "\(id)") }
    expectEqual(calls.cancellable(onlyPages: false).map(\.0), [general], "only what a conversation decides")
    expectEqual(calls.cancellable(onlyPages: false).map(\.serial), [40], "by its number")
    expectEqual(calls.takeWaiting(RequestID(2))?.call.id, RequestID(2), "taken out")
    expect(calls.takeWaiting(RequestID(2)) == nil, "once")
    expectEqual(calls.takeWaiting().map(\.call.id), [RequestID(1), nil, RequestID(3)], "the others in order")
    expectEqual(calls.takeWaiting().count, 0, "once")
    expectEqual(calls.count, 2, "two are left")
  }
}
