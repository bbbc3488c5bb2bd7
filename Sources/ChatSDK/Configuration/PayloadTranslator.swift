/// Makes and reads the bodies of messages that have a form of their own.
///
/// A body that equals the default one goes as a plain text. Any other goes as its JSON in place of the text.
struct PayloadTranslator: Sendable {
  /// What a text is on its way out.
  enum Outgoing: Equatable {
    /// The text with its markup.
    case text(String)
    /// Characters that must come as they are.
    case literal(String)
  }

  /// What a text is on its way in.
  enum Incoming: Equatable {
    /// A message with this text.
    case text(String)
    /// A message of unknown format, with its body.
    case unknown(AnyJSON)
  }

  let payloads: CustomPayloads

  /// Makes the body of a text; throws where the closure does, or where its body is no JSON.
  func outgoing(_ text: String, in conversation: String) throws(ChatError) -> Outgoing {
    guard let publish = payloads.getMessagePublishBody else { return .text(text) }
    let content = EventContent.TextMessageContent(text: text)
    let body: [String: Any]
    do { body = try publish(content, conversation, Self.defaultBody) } catch {
      throw .invalid("customPayloads", "getMessagePublishBody failed: \(error)")
    }
    guard let json = AnyJSON(any: body), let encoded = json.text else {
      throw .invalid("customPayloads", "getMessagePublishBody must return what JSON can hold")
    }
    return json == AnyJSON(any: Self.defaultBody(content)) ? .text(text) : .literal(encoded)
  }

  /// Reads the body of a message.
  func incoming(_ plaintext: String, in conversation: String) -> Incoming {
    guard let read = payloads.getMessageResponseBody else { return .text(plaintext) }
    let json = AnyJSON(text: plaintext)
    // A bare text is what the default body is sent as; other JSON, as a number, is a text too.
    let body: AnyJSON = if case .dictionary? = json, let json { json } else { .string(plaintext) }
    if let content = try? read(body, conversation, Self.defaultContent) { return .text(content.text) }
    return .unknown(body)
  }

  @Sendable private static func defaultBody(_ content: EventContent.TextMessageContent) -> [String: Any] {
    var body: [String: Any] = ["type": "text", "text": content.text]
    if let files = content.files { body["files"] = files }
    return body
  }

  @Sendable private static func defaultContent(_ body: any JSONCodable) -> EventContent.TextMessageContent? {
    switch body.codableValue {
    case .string(let text): return EventContent.TextMessageContent(text: text)
    case .dictionary(let members):
      guard let text = members["text"]?.stringOptional else { return nil }
      guard case .array(let files)? = members["files"] else { return EventContent.TextMessageContent(text: text) }
      return EventContent.TextMessageContent(text: text, files: files.compactMap(EventContent.File.init))
    case .null, .boolean, .integer, .double, .array: return nil
    }
  }
}
