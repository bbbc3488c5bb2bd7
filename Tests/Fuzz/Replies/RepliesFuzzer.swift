import ChatModel
import FuzzSupport
import GatewayProtocol

/// Reads a gateway's text message as a client does, and writes what it means again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let method = Method.allCases[Int(input.byte()) % Method.allCases.count]
  let bytes = Array(input.bytes)
  let event = decoder.value.decode(bytes) { $0 == 1 ? method : nil }
  requireEqual(decoder.value.decode(bytes) { $0 == 1 ? method : nil }, event, "read twice")
  if let text = written(event) { requireEqual(decoder.value.decode(text) { $0 == 1 ? method : nil }, event, "written and read again") }
  if case .malformed(let reason) = event { require(!reason.isEmpty && reason.utf8.count < 200, "a reason is a short sentence") }
  return 0
}

/// The event as the gateway writes it; nil for what it does not write.
private func written(_ event: ServerEvent) -> [UInt8]? {
  switch event {
  case .reply(let id, .success(let result)): ServerMessage.reply(RequestID(id), result).encoded
  case .reply(let id, .failure(let error)): ServerMessage.failure(RequestID(id), error).encoded
  case .refused(let error): ServerMessage.failure(.null, error).encoded
  case .snapshot(let topic, let snapshot): ServerMessage.encodedSubscription(topic, snapshot)
  case .ended(let topic, nil): ServerMessage.notification(.unsubscribed(topic: TopicName.text(of: topic), .overloaded)).encoded
  case .ended(let topic, let error?): ServerMessage.notification(.failed(topic: TopicName.text(of: topic), error)).encoded
  case .sessionExpiring(let expiresAt): ServerMessage.notification(.sessionExpiring(expiresAt: expiresAt)).encoded
  case .goAway(let milliseconds): ServerMessage.notification(.goAway(.restart, reconnectAfterMs: milliseconds, deadlineMs: 0)).encoded
  case .hello, .ignored, .malformed: nil
  }
}

/// Kept, as a connection keeps its own.
private let decoder = Kept(value: required(ServerMessageDecoder(maxMessageBytes: 1 << 20), "the bounds are good"))

/// The fuzzer calls from one thread alone, so nothing is shared.
private struct Kept: @unchecked Sendable {
  let value: ServerMessageDecoder
}
