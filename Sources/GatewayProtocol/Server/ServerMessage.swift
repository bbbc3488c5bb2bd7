package import ChatModel
import JSON

/// A message to a client as a value; `encoded` is its text.
package enum ServerMessage: Hashable, Sendable {
  case reply(RequestID, CallResult)
  case failure(RequestID, RPCError)
  case notification(ServerNotification)

  /// The reply to a call.
  package init(to id: RequestID, _ outcome: Result<CallResult, RPCError>) {
    switch outcome {
    case .success(let result): self = .reply(id, result)
    case .failure(let error): self = .failure(id, error)
    }
  }

  /// The reply to a call that the chat answered.
  package init(to id: RequestID, _ outcome: Result<ChatReply, ChatError>) {
    switch outcome {
    case .success(let reply): self = .reply(id, .chat(reply))
    case .failure(let error): self = .failure(id, RPCError(error))
    }
  }

  /// Whether it tells who a session is, perhaps with a token: such a message is never compressed, as its size would tell about the token
  /// (`docs/protocol.md`, Transport).
  package var isSecret: Bool {
    switch self {
    case .reply(_, .session): true
    case .notification(.hello(let hello)): if case .done = hello.auth { true } else { false }
    case .reply, .failure, .notification: false
    }
  }

  /// The whole message as compact JSON (JSON-RPC 2.0 §4, §5).
  package var encoded: [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.field("jsonrpc", "2.0")
    switch self {
    case .reply(let id, let result):
      writer.field("id", raw: id.bytes)
      writer.key("result")
      writer.result(result)
    case .failure(let id, let error):
      writer.field("id", raw: id.bytes)
      writer.key("error")
      writer.error(error)
    case .notification(let notification):
      writer.key("method")
      writer.string(notification.method.description)
      writer.key("params")
      writer.params(of: notification)
    }
    writer.endObject()
    return writer.bytes
  }

  /// The answer to a batch, of replies that are encoded already; nil where none is left to answer (JSON-RPC 2.0 §6).
  package static func batch(of replies: [[UInt8]]) -> [UInt8]? {
    guard !replies.isEmpty else { return nil }
    var writer = JSONWriter(capacity: replies.reduce(2) { $0 + $1.count + 1 })
    writer.beginArray()
    for reply in replies { writer.raw(reply) }
    writer.endArray()
    return writer.bytes
  }

  /// The message that a topic is live, or changed: one text for all who see the same.
  package static func encodedSubscription(_ topic: Topic, _ snapshot: TopicSnapshot) -> [UInt8] {
    notification(.active(topic: TopicName.text(of: topic), snapshot)).encoded
  }
}
