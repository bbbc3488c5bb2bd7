import ChatModel
import JSON

/// The readers of a message's body, which stands either in `text` or in `content`.
enum ReadContent {
  /// A body that is given as a text.
  static func text(_ argument: Argument) throws(ChatError) -> [ContentBlock] {
    ContentBlock.plain(try checked(try Read.string(argument), argument))
  }

  /// A body that is given as blocks: one block of text whose children are strings; neighbours become one.
  static func blocks(_ argument: Argument) throws(ChatError) -> [ContentBlock] {
    guard let blocks = argument.value.array else { throw argument.invalid("must be an array of blocks") }
    guard blocks.count == 1, let block = Array(blocks).first else { throw argument.invalid("must have exactly one block") }
    guard let members = block.object else { throw argument.invalid("must hold objects") }
    guard let type = block["type"], type.isString("text") else {
      throw argument.invalid("may hold only blocks of the type \"text\" yet")
    }
    guard members.allSatisfy({ $0.hasKey("type") || $0.hasKey("children") }) else {
      throw argument.invalid("has a block with an unknown member")
    }
    guard let children = block["children"]?.array else { throw argument.invalid("must have an array of children in its block") }
    var text = ""
    for child in children {
      guard let part = child.string else { throw argument.invalid("may have only strings as children yet") }
      text += part
    }
    return ContentBlock.plain(try checked(text, argument))
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

  private static func checked(_ text: String, _ argument: Argument) throws(ChatError) -> String {
    let limit = argument.limits.maxTextLength
    guard text.hasAtMost(scalars: limit) else { throw argument.tooLarge("must have at most \(limit) characters") }
    guard !text.isBlank else { throw argument.invalid("must not be empty") }
    return text
  }
}
