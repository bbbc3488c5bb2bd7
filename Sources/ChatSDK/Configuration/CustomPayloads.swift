/// Bodies of messages that have a form of your own: what leaves is made by one closure, what comes is read by the other.
public struct CustomPayloads: Sendable {
  /// The body that the SDK makes by itself.
  public typealias DefaultGetMessagePublishBody = @Sendable (_ content: EventContent.TextMessageContent) -> [String: Any]
  /// What the SDK reads by itself: `text` of an object, or a bare string; nil for all else.
  public typealias DefaultGetMessageResponseBody = @Sendable (_ body: any JSONCodable) -> EventContent.TextMessageContent?
  /// Makes the body of a message in a conversation.
  public typealias GetMessagePublishBody =
    @Sendable (
      _ content: EventContent.TextMessageContent, _ channelId: String, _ defaultHandler: DefaultGetMessagePublishBody
    ) throws -> [String: Any]
  /// Reads the body of a message in a conversation; nil, and whatever it throws, make a message of unknown format.
  public typealias GetMessageResponseBody =
    @Sendable (
      _ body: any JSONCodable, _ channelId: String, _ defaultHandler: DefaultGetMessageResponseBody
    ) throws -> EventContent.TextMessageContent?

  public var getMessagePublishBody: GetMessagePublishBody?
  public var getMessageResponseBody: GetMessageResponseBody?
  /// What an edit is called in bodies of your own; `edited` where it is nil.
  public var editMessageActionName: String?
  /// What a removal is called in bodies of your own; `deleted` where it is nil.
  public var deleteMessageActionName: String?

  public init(
    getMessagePublishBody: GetMessagePublishBody? = nil,
    getMessageResponseBody: GetMessageResponseBody? = nil,
    editMessageActionName: String? = nil,
    deleteMessageActionName: String? = nil
  ) {
    self.getMessagePublishBody = getMessagePublishBody
    self.getMessageResponseBody = getMessageResponseBody
    self.editMessageActionName = editMessageActionName
    self.deleteMessageActionName = deleteMessageActionName
  }
}

/// The contents of events, as custom payloads see them.
public enum EventContent {
  /// A text with its files.
  public struct TextMessageContent: Hashable, Sendable {
    public var text: String
    public var files: [File]?

    public init(text: String, files: [File]? = nil) {
      self.text = text
      self.files = files
    }
  }

  /// A file of a message.
  public struct File: Hashable, Sendable {
    public var id: String
    public var name: String
    public var url: String
    /// The media type, as `image/png`.
    public var type: String?

    public init(id: String, name: String, url: String, type: String? = nil) {
      self.id = id
      self.name = name
      self.url = url
      self.type = type
    }
  }
}
