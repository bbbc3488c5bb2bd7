import ChatModel
import JSON

/// Turns text messages of the gateway into events; keep one for each loop, because it keeps a parser.
package struct ServerMessageDecoder {
  private let parser: JSONParser

  /// Makes a decoder; nil when there is no memory for its parser, or the bounds are none.
  package init?(maxMessageBytes: Int, maxDepth: Int = 64) {
    guard let parser = JSONParser(maxBytes: maxMessageBytes, maxDepth: maxDepth) else { return nil }
    self.parser = parser
  }

  /// Reads one text message.
  ///
  /// - Parameter asked: The method of the request with a number; nil where nobody waits for it.
  package func decode(_ text: UnsafeRawBufferPointer, asked: (Int64) -> Method?) -> ServerEvent {
    switch parser.parse(text, { Self.event($0, asked) }) {
    case .success(let event): event
    case .failure(let error): .malformed(error.sentence)
    }
  }

  /// Reads one text message; the same for an array.
  package func decode(_ text: [UInt8], asked: (Int64) -> Method?) -> ServerEvent {
    text.withUnsafeBytes { decode($0, asked: asked) }
  }

  private static func event(_ root: JSONValue, _ asked: (Int64) -> Method?) -> ServerEvent {
    let message = ServerValue(value: root, name: "message")
    do throws(MalformedMessage) {
      if let method = message.optional("method") { return try notification(method, message) }
      guard let id = message.optional("id") else {
        guard let error = message.optional("error") else { throw MalformedMessage(member: "method") }
        return .refused(try error.error())
      }
      let number = try id.integer()
      guard let method = asked(number) else { return .ignored }
      if let error = message.optional("error") { return .reply(number, .failure(try error.error())) }
      return .reply(number, .success(try message.required("result").result(of: method)))
    } catch { return .malformed("\(error.member) is missing, or of another type") }
  }

  private static func notification(_ method: ServerValue, _ message: ServerValue) throws(MalformedMessage) -> ServerEvent {
    let params = try message.required("params")
    switch try method.string() {
    case "hello": return .hello(try params.greeting())
    case "subscription":
      let topic = try params.required("topic").topic()
      switch try params.required("state").choice(SubscriptionState.self) {
      case .pending: return .ignored
      case .active: return .snapshot(topic, try params.topicSnapshot(of: topic))
      case .unsubscribed: return .ended(topic, nil)
      case .error: return .ended(topic, try params.required("error").error())
      }
    case "session.expiring": return .sessionExpiring(expiresAt: try params.required("expiresAt").integer())
    case "goAway": return .goAway(reconnectAfterMs: try params.required("reconnectAfterMs").count())
    default: return .ignored
    }
  }
}
