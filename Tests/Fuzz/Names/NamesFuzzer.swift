import ChatModel
import FuzzSupport
import GatewayProtocol

/// Reads names of topics, ids of users, conversations and messages, and emoji: what is taken has one spelling.
///
/// A line break in the input stands between two names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let names = FuzzInput(start, count).parts(at: 10, most: 4).map { String(decoding: $0, as: UTF8.self) }
  for name in names {
    if let topic = try? TopicName.parse(name) { requireEqual(Array(TopicName.text(of: topic).utf8), Array(name.utf8), "one name a topic") }
    checkIdentifier(name)
    checkEmoji(name)
  }
  guard let first = names.first, let conversation = try? ConversationID(first) else { return 0 }
  for name in names.dropFirst() {
    if let id = MessageID(name, in: conversation) {
      require(id.number > 0 && id.text == name, "an id is a number")
      requireEqual(MessageID(id.number, in: conversation), id, "one id a message")
    }
    if let one = try? UserID(first), let other = try? UserID(name), let pair = DirectPair(one, other) {
      requireEqual(DirectPair(other, one), pair, "a pair has no order")
      require(pair.contains(one) && pair.contains(other) && pair.conversation.isReserved, "a pair is its two users")
      require((try? ConversationID(pair.conversation.text)) == pair.conversation, "the id of a pair is an id")
    }
  }
  return 0
}

private func checkEmoji(_ text: String) {
  guard let emoji = ReactionEmoji(text) else { return }
  requireEqual(ReactionEmoji(emoji.text), emoji, "an emoji that was taken is taken again as it is")
  let scalars = Array(emoji.text.unicodeScalars)
  if scalars.first == ":", scalars.last == ":" {
    requireEqual(Array(emoji.text.utf8), Array(text.utf8), "a name is kept as it came")
    require((3...ReactionEmoji.maxNameLength).contains(scalars.count), "a name keeps its bounds")
    require(!scalars.dropFirst().dropLast().contains { $0 == ":" || $0.properties.isWhitespace }, "a name is one word")
  } else {
    requireEqual(scalars.filter { $0 != "\u{FE0F}" }, Array(text.unicodeScalars).filter { $0 != "\u{FE0F}" }, "only selectors come and go")
    require(scalars.contains { $0.properties.isEmoji }, "an emoji is one")
  }
}

private func checkIdentifier(_ text: String) {
  let scalars = text.unicodeScalars
  let isGood = (try? Identifier.check(text)) != nil
  let isShort = (1...Identifier.maxScalars).contains(scalars.count)
  let isPlain = scalars.allSatisfy { scalar in
    let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    return !isControl && !",/\\*:".unicodeScalars.contains(scalar)
  }
  if isGood {
    require(isShort && isPlain, "an id keeps its rule")
    require(!text.hasPrefix(" ") && !text.hasSuffix(" "), "no space stands at an end")
    for kind in ["conversation", "messages", "participants", "typing", "user", "online"] {
      require((try? TopicName.parse("\(kind):\(text)")) != nil, "an id is the topic's as well")
    }
  } else if isShort && isPlain && scalars.allSatisfy(\.isASCII) {
    require(text.hasPrefix(" ") || text.hasSuffix(" "), "nothing else is wrong with ASCII")
  }
}
