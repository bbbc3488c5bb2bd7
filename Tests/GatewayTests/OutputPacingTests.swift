import ChatEngine
import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct OutputPacingTests {
  private static let general = ConversationID(stored: "general")
  private static let caller = Caller(user: UserID(stored: "ann"), kind: .user, permissions: Permissions())
  private static let history = ClientRequest.chat(.inConversation(general, .history(HistoryRange(start: .newest, limit: 30))))
  private static let delete = ClientRequest.chat(.inConversation(general, .delete))
  private static let typing = ClientRequest.chat(.inConversation(general, .markAsTyping))
  private static let more = ClientRequest.loadMore(name: "messages:general", .messages(general), count: nil)
  private static let unsubscribe = ClientRequest.unsubscribe(name: "messages:general", .messages(general))

  private static func call(_ id: Int64, _ request: ClientRequest = history, in batch: BatchReplies? = nil) -> HeldCall {
    let call = ClientCall(id: RequestID(id), request: .success(request))
    return HeldCall(request: request, caller: caller, waited: WaitingCall(call: call, startedAt: 0, batch: batch))
  }

  private static func subscription(_ serial: UInt64) -> HeldSubscription {
    HeldSubscription(
      request: TopicRequest(topic: .messages(general)),
      subscriber: SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial), caller: caller, start: nil)
  }

  private static func cost(_ call: HeldCall) -> OutputCost {
    call.request == history || call.request == more ? .heavy(100) : .light(1)
  }

  /// A queue that has room for 250 bytes beside the quarter that is left to others.
  private static func room(_ waiting: Int = 0, _ batched: Int = 0, _ oldest: BatchReplies? = nil) -> OutputPacing.Room {
    OutputPacing.Room(cap: 333, waiting: waiting, batched: batched, oldestBatch: oldest)
  }

  /// Runs what may run; returns the ids of calls and the negative numbers of subscriptions.
  private static func run(_ pacing: inout OutputPacing, _ room: OutputPacing.Room = room(), at now: UInt64 = 0) -> [Int64] {
    var ran: [Int64] = []
    while let (next, _) = pacing.next(room, at: now, cost: cost, first: { _ in .heavy(100) }) {
      switch next {
      case .call(let call): ran.append(call.waited.call.id.flatMap { Int64(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0)
      case .subscription(let held): ran.append(-Int64(held.subscriber.serial))
      }
    }
    return ran
  }

  private static func arrives(_ pacing: inout OutputPacing, _ call: HeldCall, _ room: OutputPacing.Room = room()) -> Bool {
    pacing.arrived(call, cost(call), room)
  }

  @Test func `heavy calls run while what they may produce fits, the others wait in order, light ones never`() {
    var pacing = OutputPacing()
    expectEqual((1...5).map { Self.arrives(&pacing, Self.call($0)) }, [true, true, false, false, false], "two fit")
    expect(Self.arrives(&pacing, Self.call(6, Self.typing)), "a light one runs")
    expectEqual(pacing.reserved, 201, "for all that runs")
    expectEqual(pacing.callCount, 3, "three wait")
    expectEqual(Self.run(&pacing), [], "there is no room")
    pacing.release(100)
    expectEqual(Self.run(&pacing, Self.room(60)), [], "what was produced waits in the queue")
    expectEqual(Self.run(&pacing, Self.room(49)), [3], "it was sent")
    pacing.release(201)
    expectEqual(Self.run(&pacing), [4, 5], "all")
    expect(pacing.isEmpty, "none is left")
    pacing.release(1_000)
    expectEqual(pacing.reserved, 0, "never less than nothing")
    expect(Self.arrives(&pacing, Self.call(7), Self.room(150)), "it just fits")
    expect(!Self.arrives(&pacing, Self.call(8), Self.room(151)), "and not by a byte more")
  }

  @Test func `what can never fit goes alone`() {
    var pacing = OutputPacing()
    let big = { (_: HeldCall) in OutputCost.heavy(1_000) }
    expect(!pacing.arrived(Self.call(1), .heavy(1_000), Self.room(1)), "not behind something")
    expect(pacing.next(Self.room(1), at: 0, cost: big, first: { _ in .heavy(1) }) == nil, "not behind something")
    expectEqual(pacing.next(Self.room(), at: 0, cost: big, first: { _ in .heavy(1) })?.bytes, 1_000, "into an empty queue")
    expect(!pacing.arrived(Self.call(2), .heavy(1_000), Self.room()), "one at a time")
    pacing.release(1_000)
    expect(!pacing.arrived(Self.call(3), .heavy(1_000), Self.room()), "not past those that wait")
  }

  @Test func `what takes a held page away waits behind it`() {
    var pacing = OutputPacing()
    let room = Self.room(200)
    for (id, request, runs) in [
      (1, Self.history, false), (2, Self.typing, true), (3, Self.delete, false), (4, Self.more, false), (5, Self.unsubscribe, false),
      (6, .subscribe(TopicRequest(topic: .messages(Self.general))), false),
      (7, .subscribe(TopicRequest(topic: .typing(Self.general))), false),
      (9, .subscribe(TopicRequest(topic: .user(Self.caller.user))), true),
    ] as [(Int64, ClientRequest, Bool)] {
      expectEqual(Self.arrives(&pacing, Self.call(id, request), room), runs, "\(request)")
    }
    expectEqual(pacing.take(RequestID(1))?.waited.call.id, RequestID(1), "cancelled")
    expect(pacing.take(RequestID(2)) == nil && pacing.take(RequestID(1)) == nil, "what runs, or is gone, is not held")
    expect(!Self.arrives(&pacing, Self.call(8, Self.delete), room), "behind the other")
    expectEqual(Self.run(&pacing, room), [3], "until something heavy")
    pacing.release(pacing.reserved)
    expectEqual(Self.run(&pacing), [4, 5, 6, 7, 8], "in order")
    expect(Self.arrives(&pacing, Self.call(9, Self.delete), room), "nothing is held any more")
  }

  @Test func `what came behind a held leave or delete takes effect behind it`() {
    let create = ClientRequest.createConversation(Self.general, NewConversation())
    let leave = ClientRequest.chat(.inConversation(Self.general, .deleteParticipant(Self.caller.user)))
    let other = ClientRequest.chat(.inConversation(ConversationID(stored: "other"), .markAsTyping))
    let topic = ClientRequest.subscribe(TopicRequest(topic: .typing(Self.general)))
    for (name, taking) in [("delete", Self.delete), ("leave", leave)] {
      var pacing = OutputPacing()
      let full = Self.room(200)
      let calls = [Self.history, taking, Self.typing, create, topic, other, .chat(.markAllAsRead), Self.history, Self.typing]
      let ran = zip(1..., calls).map { Self.arrives(&pacing, Self.call($0, $1), full) }
      expectEqual(ran, [false, false, false, false, false, true, true, false, false], "\(name): what is about the conversation waits")
      pacing.release(pacing.reserved)
      expectEqual(Self.run(&pacing, Self.room(100)), [1, 2, 3, 4, 5], "\(name): in order, up to the next page")
      expect(!Self.arrives(&pacing, Self.call(10, Self.typing), full), "\(name): behind the last that is held")
      pacing.release(pacing.reserved)
      expectEqual(Self.run(&pacing), [8, 9, 10], "\(name): in order")
      expect(Self.arrives(&pacing, Self.call(11, Self.typing), full), "\(name): nothing is held any more")
    }
  }

  @Test func `when the session is over all that waits is given back, once`() {
    var pacing = OutputPacing()
    pacing.hold(Self.subscription(1))
    expectEqual(Self.run(&pacing), [-1], "its snapshot is awaited")
    for id in 2...4 as ClosedRange<Int64> { _ = Self.arrives(&pacing, Self.call(id), Self.room(200)) }
    _ = Self.arrives(&pacing, Self.call(5, Self.delete))
    pacing.hold(Self.subscription(6))
    expectEqual(pacing.close().map(\.waited.call.id), (2...5).map { RequestID($0) }, "the calls")
    expect(pacing.isEmpty && pacing.close().isEmpty && pacing.reserved == 0, "nothing is left")
    expect(Self.arrives(&pacing, Self.call(7, Self.typing), Self.room(200)), "nothing is waited for")
  }

  @Test func `subscriptions wait behind calls, and their room is given back with the first snapshot`() {
    var pacing = OutputPacing()
    for serial in 1...4 as ClosedRange<UInt64> { pacing.hold(Self.subscription(serial)) }
    expect(!pacing.isEmpty, "they wait")
    expectEqual(Self.run(&pacing), [-1, -2], "two fit")
    expect(!Self.arrives(&pacing, Self.call(1)), "there is no room for a call")
    pacing.release(Self.subscription(1).subscriber)
    pacing.release(Self.subscription(1).subscriber)
    expectEqual(Self.run(&pacing), [1], "the call is first")
    expect(!pacing.ended(Self.subscription(2).subscriber), "its shard knows of it")
    expect(pacing.ended(Self.subscription(3).subscriber), "its shard never heard of it")
    expectEqual(Self.run(&pacing, at: 1_000), [-4], "the last")
    pacing.giveUpAwaited(at: 2_999)
    expectEqual(pacing.reserved, 200, "the call and the snapshot")
    pacing.giveUpAwaited(at: 3_000)
    pacing.giveUpAwaited(at: 9_000)
    expectEqual(pacing.reserved, 100, "a snapshot that does not come holds up no call")
    pacing.hold(Self.subscription(5))
    expectEqual(Self.run(&pacing, at: 9_000), [], "but further snapshots, which would come with it")
    expect(Self.arrives(&pacing, Self.call(2)), "there is room for a call")
    pacing.release(Self.subscription(4).subscriber)
    expectEqual(pacing.reserved, 200, "nothing is given back twice")
    pacing.release(100)
    expectEqual(Self.run(&pacing, at: 9_001), [-5], "it came")
  }

  @Test func `calls of a batch go one by one where its array is large, and no other batch grows meanwhile`() {
    var pacing = OutputPacing()
    let (batch, other) = (BatchReplies(calls: 9), BatchReplies(calls: 9))
    for id in 1...5 as ClosedRange<Int64> { _ = Self.arrives(&pacing, Self.call(id, in: batch)) }
    for id in 6...7 as ClosedRange<Int64> { _ = Self.arrives(&pacing, Self.call(id, in: other)) }
    _ = Self.arrives(&pacing, Self.call(8))
    expectEqual(pacing.callCount, 6, "two run")
    let room = { (waiting: Int) in Self.room(waiting, batch.byteCount + other.byteCount, batch) }
    // What is answered at once makes the other array larger meanwhile.
    _ = other.add([UInt8](repeating: 0, count: 99))
    _ = batch.add([UInt8](repeating: 0, count: 199))
    pacing.release(100)
    expectEqual(Self.run(&pacing, room(0)), [], "another one runs")
    pacing.release(100)
    expectEqual(Self.run(&pacing, room(167)), [], "the queue is not half empty")
    expectEqual(Self.run(&pacing, room(166)), [3], "alone")
    for id in [4, 5] as [Int64] {
      _ = batch.add([UInt8](repeating: 0, count: 99))
      pacing.release(100)
      expectEqual(Self.run(&pacing, room(0)), [id], "alone")
    }
    pacing.release(100)
    expectEqual(Self.run(&pacing, room(0)), [], "the other batch waits for the array")
    expectEqual(Self.run(&pacing, Self.room(400, other.byteCount, other)), [], "and for the queue")
    expectEqual(Self.run(&pacing, Self.room(0, other.byteCount, other)), [6], "then it goes")
    _ = other.add([UInt8](repeating: 0, count: 200))
    pacing.release(100)
    expectEqual(Self.run(&pacing, Self.room(0, other.byteCount, other)), [7], "to its end")
    pacing.release(100)
    expectEqual(Self.run(&pacing, Self.room(1, other.byteCount, other)), [], "what is in no batch waits for the queue")
    expectEqual(Self.run(&pacing, Self.room(0, other.byteCount, other)), [8], "and for nothing else")
  }

  @Test func `messages are read while half of the queue is free for others`() {
    var pacing = OutputPacing()
    expect(pacing.wantsMore(Self.room(166)), "half is free")
    expect(!pacing.wantsMore(Self.room(167)), "less than half")
    for id in 1...101 as ClosedRange<Int64> { _ = Self.arrives(&pacing, Self.call(id, Self.typing)) }
    expect(pacing.wantsMore(Self.room(116)) && !pacing.wantsMore(Self.room(117)), "light calls take room too")
  }
}
