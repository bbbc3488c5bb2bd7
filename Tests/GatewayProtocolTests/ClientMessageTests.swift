import ChatModel
import GatewayProtocol
import TestSupport
import Testing

/// What a client writes is what the gateway reads.
@Suite struct ClientMessageTests {
  @Test func `every request is read as what was written`() throws {
    let frames = try Frames()
    var methods: Set<Method> = []
    for (method, cases) in try MethodShapeTests.requests() {
      for (params, request) in cases {
        guard let message = ClientMessage(request) else { continue }
        methods.insert(method)
        expectEqual(message.method, method, params)
        guard case .single(let call) = frames.decoder.decode(message.encoded(id: 77)) else { throw Unexpected(description: params) }
        expectEqual(call.request, .success(request), params)
        expectEqual(call.id, RequestID(77))
      }
    }
    expectEqual(Set(Method.allCases).subtracting(methods), [.sessionList, .sessionRevoke, .fileToken], "the client has no call for these")
  }

  @Test func `texts go with their markup`() throws {
    let frames = try Frames()
    let room = try ConversationID("c")
    let message = OutgoingMessage(content: [], custom: CustomFields([("k", "v")]), clientMessageId: "x")
    let calls: [(ChatCall, ConversationOperation, isRepeatable: Bool)] = [
      (
        .sendText(room, "hi", message),
        .send(OutgoingMessage(content: ContentBlock.plain("hi"), custom: message.custom, clientMessageId: "x")), true
      ),
      (.sendText(room, "hi", OutgoingMessage(content: [])), .send(OutgoingMessage(content: ContentBlock.plain("hi"))), false),
      (
        .editText(room, MessageID(4, in: room), "hi", custom: .clear),
        .editMessage(MessageID(4, in: room), MessageEdit(content: ContentBlock.plain("hi"), custom: .clear)), false
      ),
    ]
    for (call, operation, isRepeatable) in calls {
      guard case .single(let read) = frames.decoder.decode(ClientMessage.call(call).encoded(id: 1)) else { return expect(false) }
      expectEqual(read.request, .success(.chat(.inConversation(room, operation))))
      expectEqual(call.isRepeatable, isRepeatable)
      expectEqual(ChatCall.operation(.inConversation(room, operation)).isRepeatable, isRepeatable)
    }
  }
}

extension ClientMessage {
  /// The message that makes a request; nil for requests that a client of ours does not make.
  fileprivate init?(_ request: ClientRequest) {
    switch request {
    case .ping: self = .ping
    case .openSession(let opening): self = .openSession(opening)
    case .refreshSession(let token): self = .refreshSession(token: token)
    case .closeSession: self = .closeSession
    case .fileToken, .listSessions, .revokeSessions, .cancel: return nil
    case .createConversation(let id, let new): self = .call(.create(id, new))
    case .chat(let operation): self = .call(.operation(operation))
    case .subscribe(let request): self = .call(.subscribe(request.topic, from: request.from))
    case .unsubscribe(_, let topic): self = .call(.unsubscribe(topic))
    case .loadMore(_, let topic, let count): self = .call(.loadMore(topic, count: count))
    }
  }
}
