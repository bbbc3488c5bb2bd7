import ChatModel
import JSON

/// The readers of a message's body, which stands either in `text` or in `content` (`docs/content.md`).
enum ReadContent {
  /// A body that is given as a text with markup.
  static func text(_ argument: Argument) throws(ChatError) -> [ContentBlock] {
    let text = try Read.string(argument)
    let limit = argument.limits.maxTextLength
    guard text.hasAtMost(scalars: limit) else { throw argument.tooLarge("must have at most \(limit) characters") }
    guard !text.isBlank else { throw argument.invalid("must not be empty") }
    return Markup.content(of: text)
  }

  /// A body that is given as blocks.
  static func blocks(_ argument: Argument) throws(ChatError) -> [ContentBlock] {
    do throws(ContentFault) {
      guard let blocks = argument.value.array else { throw .invalid("", "must be an array of blocks") }
      guard blocks.count == 1, let value = Array(blocks).first else { throw .invalid("", "must have exactly one block") }
      let content: [ContentBlock]
      do throws(ContentFault) { content = [try block(value)] } catch { throw error.inside("[0]") }
      try ContentCheck.check(content, maxTextLength: argument.limits.maxTextLength)
      return content
    } catch {
      throw error.error(in: argument.name.description)
    }
  }

  /// The body of a new message: one of the two ways, not both and not neither.
  static func body(text: [ContentBlock]?, content: [ContentBlock]?) throws(ChatError) -> [ContentBlock] {
    guard let body = try change(text: text, content: content) else { throw .invalid("text", "or content must be there") }
    return body
  }

  /// The new body in an edit: one of the two ways or none.
  static func change(text: [ContentBlock]?, content: [ContentBlock]?) throws(ChatError) -> [ContentBlock]? {
    guard text == nil || content == nil else { throw .invalid("text", "and content must not both be there") }
    return text ?? content
  }

  private static func block(_ value: JSONValue) throws(ContentFault) -> ContentBlock {
    let members = try ContentMembers(value)
    let type = try members.string("type")
    switch type {
    case "text":
      try members.refuseOthers(than: "type", "children")
      return .text(try ReadTextNode.children(of: members, depth: 1))
    case "location":
      try members.refuseOthers(than: "type", "latitude", "longitude")
      return .location(Location(latitude: try members.number("latitude"), longitude: try members.number("longitude")))
    case "file":
      // A block that came may be sent on as it is: what the server adds to it is the server's to say.
      try members.refuseOthers(than: "type", "fileToken", "subtype", "url", "size", "filename", "width", "height", "duration")
      guard let file = FileID(try members.string("fileToken")) else { throw .invalid(".fileToken", "must be one that an upload answered") }
      return .file(FileBlock(file))
    default: throw .invalid(".type", "must be text, file or location")
    }
  }
}
