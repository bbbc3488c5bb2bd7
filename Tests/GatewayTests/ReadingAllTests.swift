import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct ReadingAllTests {
  @Test func `the last of many calls gives the reply`() {
    var reading = ReadingAll()
    let first = CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1)
    let second = CallID(endpoint: Endpoint(loop: 1, connection: 2), serial: 1)
    let one = reading.begin(first, parts: 3)
    let two = reading.begin(second, parts: 1)
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
    let call = CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1)
    let failed = ChatError(.unavailable, "The disk is full")
    let cases: [(parts: [ChatError?], Result<Int, ChatError>)] = [
      ([failed], .failure(failed)), ([nil, failed, .unavailable, nil], .failure(failed)), ([.notParticipant, failed], .failure(failed)),
      ([nil, .notParticipant, ChatError(.notFound, "It is gone"), ChatError(.forbidden, "You were removed")], .success(1)),
    ]
    for (parts, result) in cases {
      var reading = ReadingAll()
      let batch = reading.begin(call, parts: parts.count)
      let last = parts.map { reading.finished(one: batch, $0) }.last ?? nil
      expectEqual(last?.1, result, "\(parts)")
    }
  }
}
