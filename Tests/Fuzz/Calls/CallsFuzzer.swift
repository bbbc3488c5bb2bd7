import ChatModel
import FuzzSupport
import GatewayProtocol
import JSON

/// Reads a client's text message as JSON-RPC, and answers it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = FuzzInput(start, count)
  let bytes = Array(input.bytes)
  for (decoder, limits) in decoders.value {
    let frame = decoder.decode(bytes)
    requireEqual(decoder.decode(bytes), frame, "read twice")
    check(frame, bytes, limits)
    if bytes.count <= limits.maxMessageBytes { checkAgain(frame, bytes, decoder) }
  }
  return 0
}

/// Decoders as connections have them and with small bounds; they are kept, as an event loop keeps its own.
private let decoders = Kept([
  CallLimits(maxMessageBytes: 131_072, maxTextLength: 10_000, maxBatch: 20),
  CallLimits(maxMessageBytes: 160, maxTextLength: 5, maxBatch: 2),
])

/// The fuzzer calls from one thread alone, so nothing is shared.
private struct Kept: @unchecked Sendable {
  let value: [(CallDecoder, CallLimits)]

  init(_ limits: [CallLimits]) {
    value = limits.map { (required(CallDecoder(limits: $0), "the bounds are good"), $0) }
  }
}

private func check(_ frame: ClientFrame, _ bytes: [UInt8], _ limits: CallLimits) {
  let isText = String(validating: bytes, as: UTF8.self) != nil
  switch frame {
  case .single(let call): checkCall(call, bytes, limits)
  case .batch(let calls):
    require((1...limits.maxBatch).contains(calls.count), "a batch keeps its limit")
    for call in calls { checkCall(call, bytes, limits) }
    let answers = calls.compactMap { call in call.id.map { answer(to: $0, call) } }
    if let batch = ServerMessage.batch(of: answers) { checkJSON(batch, "an answered batch") }
  case .refused(let error): checkError(error, .null)
  case .ignored: break
  case .invalidUTF8: require(!isText && bytes.count <= limits.maxMessageBytes, "only bad UTF-8 closes")
  }
  if frame != .invalidUTF8 {
    require(isText || bytes.count > limits.maxMessageBytes || bytes.starts(with: [0xEF, 0xBB, 0xBF]), "bad UTF-8 closes")
  }
  if bytes.count > limits.maxMessageBytes {
    guard case .refused = frame else { return require(false, "a message beyond the limit is refused") }
  }
}

private func checkCall(_ call: ClientCall, _ bytes: [UInt8], _ limits: CallLimits) {
  if let id = call.id {
    require(id.bytes.count <= RequestID.maxBytes, "an id keeps its limit")
    if id == .null {
      guard case .failure = call.request else { return require(false, "a call without a readable id has failed") }
    } else {
      require(isPart(id.bytes, of: bytes), "an id stands in the message byte for byte")
    }
    checkJSON(answer(to: id, call), "an answer")
  }
  switch call.request {
  case .failure(let error): checkError(error, call.id ?? .null)
  case .success(let request): checkRequest(request, call, limits)
  }
}

private func checkRequest(_ request: ClientRequest, _ call: ClientCall, _ limits: CallLimits) {
  switch request {
  case .cancel(let id):
    require(call.id == nil && call.method == nil && id.bytes.count <= RequestID.maxBytes, "only a notification cancels")
    return
  case .subscribe(let request):
    checkTopic(request.name, request.topic)
    if let filter = request.filter { checkFilter(filter, request.topic) }
  case .unsubscribe(let name, let topic), .loadMore(let name, let topic, count: _): checkTopic(name, topic)
  case .chat(.inConversation(let id, let operation)):
    let longest = id.isThread ? ThreadRoot.maxScalars : Identifier.maxScalars
    require((1...longest).contains(id.text.unicodeScalars.count), "an id keeps its limit")
    if case .send(let message) = operation {
      let length = message.content.plaintext.unicodeScalars.count
      require(length <= limits.maxTextLength, "a text keeps its limit")
      require(message.clientMessageId.map { (1...64).contains($0.unicodeScalars.count) } ?? true, "so does the id of the send")
    }
    if case .restrict(_, let restriction) = operation {
      require(restriction.reason.map { (1...500).contains($0.unicodeScalars.count) } ?? true, "so does a reason")
    }
    if case .report(_, let reason) = operation { require((1...500).contains(reason.unicodeScalars.count), "so does a complaint") }
    if case .listReports(let range) = operation { require((1...100).contains(range.limit), "and a page of them") }
    if case .invite(let users) = operation { require(users.count <= 20, "and an invitation") }
    if case .listRestrictions(let range) = operation { require((1...100).contains(range.limit), "a list keeps its limit") }
    if case .history(let range) = operation { require((1...100).contains(range.limit), "a page keeps its limit") }
  case .ping, .openSession, .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .createConversation,
    .chat(.onUser), .chat(.onSelf), .chat(.markAllAsRead):
    break
  }
  require(call.method != nil, "a request has a method")
}

private func checkFilter(_ filter: ConversationFilter, _ topic: Topic) {
  require(topic.kind == .conversations, "only lists of conversations have a filter")
  require((1...ConversationFilter.maxAlternatives).contains(filter.alternatives.count), "a filter keeps its limit")
  var bytes = 0
  for conditions in filter.alternatives {
    require(conditions.custom.count <= ConversationFilter.maxCustomKeys, "so do its custom fields")
    let texts = [conditions.access, conditions.subject].compactMap { $0 } + conditions.custom.map(\.condition)
    for text in texts {
      require(text.texts.count <= ConversationFilter.maxValues, "so does a condition")
      bytes += text.texts.reduce(0) { $0 + $1.text.utf8.count }
    }
    bytes += conditions.custom.reduce(0) { $0 + $1.key.text.utf8.count }
  }
  require(bytes <= ConversationFilter.maxBytes, "so do all texts together")
}

private func checkTopic(_ name: String, _ topic: Topic) {
  requireEqual(Array(TopicName.text(of: topic).utf8), Array(name.utf8), "a topic has its canonical name")
}

private func checkError(_ error: RPCError, _ id: RequestID) {
  require(!error.message.isEmpty && error.message.utf8.count < 4_096, "an error has a sentence of some length")
  require((error.field ?? "").unicodeScalars.count < 160, "the name of a field is shortened")
  checkJSON(ServerMessage.failure(id, error).encoded, "an error")
}

private func answer(to id: RequestID, _ call: ClientCall) -> [UInt8] {
  ServerMessage(to: id, call.request.map { _ in CallResult.done }).encoded
}

/// An answer is a document of which the id is the one that was asked with.
private func checkJSON(_ bytes: [UInt8], _ what: String) {
  let parser = required(JSONParser(maxBytes: 1 << 24, maxDepth: 64), "the bounds are good")
  guard case .success(nil) = parser.parse(bytes, { $0.firstDuplicateKey() }) else {
    return require(false, "\(what) is no document: \(String(decoding: bytes, as: UTF8.self))")
  }
}

private func isPart(_ part: [UInt8], of bytes: [UInt8]) -> Bool {
  bytes.indices.contains { bytes[$0...].starts(with: part) }
}

/// The same document in the shortest spelling means the same, but for the bytes of numbers in ids.
private func checkAgain(_ frame: ClientFrame, _ bytes: [UInt8], _ decoder: CallDecoder) {
  guard let tree = try? JSONTree(parsing: bytes) else { return }
  let short = tree.encoded
  guard short.count <= bytes.count else { return }
  let (first, again) = (outcome(of: frame), outcome(of: decoder.decode(short)))
  // A long id may become short enough: then anything may come of the call.
  let isSame = first.count == again.count && zip(first, again).allSatisfy { $0 == "id" || $0 == $1 }
  require(isSame, "written shorter: \(String(decoding: short, as: UTF8.self)): \(first), \(again)")
}

/// What a frame is without the spelling of its ids.
private func outcome(of frame: ClientFrame) -> [String] {
  switch frame {
  case .single(let call): [outcome(of: call)]
  case .batch(let calls): ["batch"] + calls.map(outcome)
  case .refused(let error): ["\(error)"]
  case .ignored: ["ignored"]
  case .invalidUTF8: ["1007"]
  }
}

private func outcome(of call: ClientCall) -> String {
  let id = call.id.map { $0 == .null ? "null" : "id" } ?? "none"
  if case .success(.cancel) = call.request { return "cancel" }
  if case .failure(let error) = call.request, error.field == "id" { return "id" }
  return "\(id) \(String(describing: call.method)) \(String(describing: call.actAs)) \(call.request)"
}
