import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct ReadingAllTests {
  private static func call(_ connection: UInt64) -> CallID { CallID(endpoint: Endpoint(loop: 0, connection: connection), serial: 1) }

  private static func caller(_ name: String) -> Caller { Caller(user: UserID(stored: name), kind: .user, permissions: Permissions()) }

  private static func rooms(_ count: Int) -> [ConversationID] { (0..<count).map { ConversationID(stored: "\($0)") } }

  @Test func `the last of many calls gives the reply`() {
    var reading = ReadingAll()
    let (first, second) = (Self.call(1), Self.call(2))
    reading.begin(first, of: Self.caller("ann"), Self.rooms(3))
    reading.begin(second, of: Self.caller("bob"), Self.rooms(1))
    let parts = (0..<5).compactMap { _ in reading.next() }
    expectEqual(parts.map { "\($0.caller.user.text) \($0.conversation.text)" }, ["ann 0", "bob 0", "ann 1", "ann 2"], "in turns")
    let (one, two) = (parts[0].batch, parts[1].batch)
    let left = ChatError.notParticipant
    let steps: [(batch: UInt64, ChatError?, CallID?, Int)] = [
      (one, nil, nil, 0), (two, left, second, 0), (one, left, nil, 0), (two, nil, nil, 0), (one, nil, first, 2), (one, nil, nil, 0),
      (99, nil, nil, 0),
    ]
    for (index, (batch, error, call, count)) in steps.enumerated() {
      let done = reading.finished(one: batch, error)
      expectEqual(done?.0, call, "step \(index)")
      expectEqual(done?.1, call.map { _ in .success(count) }, "step \(index)")
    }
  }

  @Test func `the first failure of a part is the reply`() {
    let failed = ChatError(.unavailable, "The disk is full")
    let cases: [(parts: [ChatError?], Result<Int, ChatError>)] = [
      ([failed], .failure(failed)), ([nil, failed, .unavailable, nil], .failure(failed)), ([.notParticipant, failed], .failure(failed)),
      ([nil, .notParticipant, ChatError(.notFound, "It is gone"), ChatError(.forbidden, "You were removed")], .success(1)),
    ]
    for (parts, result) in cases {
      var reading = ReadingAll()
      reading.begin(Self.call(1), of: Self.caller("ann"), Self.rooms(parts.count))
      let last = parts.map { error in reading.next().flatMap { reading.finished(one: $0.batch, error) } }.last ?? nil
      expectEqual(last?.1, result, "\(parts)")
    }
  }

  @Test func `a few are under way at once, and who has few waits for few of another's`() {
    var reading = ReadingAll()
    func start() -> [ReadingAll.Part] { Array(sequence(state: ()) { _ in reading.next() }) }
    reading.begin(Self.call(1), of: Self.caller("ann"), Self.rooms(1_000))
    var running = start()
    expectEqual(running.count, ReadingAll.maxRunning, "at the beginning")
    expectEqual(running.map(\.conversation), Self.rooms(ReadingAll.maxRunning), "in their order")
    reading.begin(Self.call(2), of: Self.caller("bob"), Self.rooms(2))
    var done: [(step: Int, CallID, Result<Int, ChatError>)] = []
    for step in 1...1_002 {
      if let (call, result) = reading.finished(one: running.removeFirst().batch, nil) { done.append((step, call, result)) }
      running += start()
      expect(running.count <= ReadingAll.maxRunning, "step \(step): \(running.count) are under way")
    }
    expectEqual(done.map(\.1), [Self.call(2), Self.call(1)], "both are done")
    expectEqual(done.map(\.2), [.success(2), .success(1_000)], "all of them")
    expect(done[0].step <= ReadingAll.maxRunning + 4, "the short one is done after \(done[0].step)")
    expectEqual(done[1].step, 1_002, "the last one gives the reply")
    expectEqual(reading.next(), nil, "nothing is left")
  }
}
