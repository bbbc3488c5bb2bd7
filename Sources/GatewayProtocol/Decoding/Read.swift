import ChatModel
import JSON

/// The readers of parameters that are one text, number or choice.
enum Read {
  /// Any text, of any length that fits in a message.
  static func string(_ argument: Argument) throws(ChatError) -> String {
    guard let text = argument.value.string else { throw argument.invalid("must be a string") }
    return text
  }

  /// The id of a user.
  static func user(_ argument: Argument) throws(ChatError) -> UserID {
    let text = try string(argument)
    do throws(IdentifierViolation) { return try UserID(text) } catch { throw argument.invalid(error.sentence) }
  }

  /// The id of a conversation.
  static func conversation(_ argument: Argument) throws(ChatError) -> ConversationID {
    let text = try string(argument)
    do throws(IdentifierViolation) { return try ConversationID(text) } catch { throw argument.invalid(error.sentence) }
  }

  /// The name of a topic.
  static func topic(_ argument: Argument) throws(ChatError) -> Topic {
    try TopicName.parse(try string(argument))
  }

  /// The way a topic's changes are told; there is one, and so nothing to give back but that it is this one.
  static func mode(_ argument: Argument) throws(ChatError) -> SubscriptionMode {
    if argument.value.isString("delta") { throw argument.invalid("\"delta\" is not there yet; use \"snapshot\"") }
    return try choice(argument)
  }

  /// One of the names of a closed list.
  static func choice<Choice>(_ argument: Argument) throws(ChatError) -> Choice
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    if let name = argument.value.string, let choice = Choice(rawValue: name) { return choice }
    throw argument.invalid("must be " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
  }

  /// `true`, `false` or `"MentionsOnly"`.
  static func notify(_ argument: Argument) throws(ChatError) -> Notify {
    if let isOn = argument.value.bool { return isOn ? .always : .never }
    guard argument.value.isString("MentionsOnly") else { throw argument.invalid("must be true, false or \"MentionsOnly\"") }
    return .mentionsOnly
  }

  /// An emoji in any of its forms, or a name between colons.
  static func emoji(_ argument: Argument) throws(ChatError) -> ReactionEmoji {
    if let emoji = ReactionEmoji(try string(argument)) { return emoji }
    throw argument.invalid("must be one emoji, or a name between colons of at most \(ReactionEmoji.maxNameLength) characters")
  }

  /// A whole number; whether it fits is decided where the topic is known.
  static func count(_ argument: Argument) throws(ChatError) -> Int {
    guard let number = argument.value.integer.flatMap(Int.init(exactly:)) else { throw argument.invalid("must be a whole number") }
    return number
  }

  /// `true` or `false`.
  static func flag(_ argument: Argument) throws(ChatError) -> Bool {
    guard let flag = argument.value.bool else { throw argument.invalid("must be true or false") }
    return flag
  }

  /// How many messages of the history are asked for.
  static func historyLimit(_ argument: Argument) throws(ChatError) -> Int { try number(argument, in: CallLimits.historyLimits) }

  /// How many entries of a list are asked for.
  static func listLimit(_ argument: Argument) throws(ChatError) -> Int { try number(argument, in: CallLimits.listLimits) }

  private static func number(_ argument: Argument, in range: ClosedRange<Int>) throws(ChatError) -> Int {
    let number = argument.value.integer.flatMap(Int.init(exactly:))
    guard let number, range.contains(number) else {
      throw argument.invalid("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  // MARK: Bounded texts

  /// The subject of a conversation.
  static func subject(_ argument: Argument) throws(ChatError) -> String { try bounded(argument, ChatSettings.maxNameLength) }

  /// Why a user is restricted.
  static func reason(_ argument: Argument) throws(ChatError) -> String { try visible(argument, ChatSettings.maxReasonLength) }

  /// The greeting of a user.
  static func welcomeMessage(_ argument: Argument) throws(ChatError) -> String { try bounded(argument, ChatSettings.maxWelcomeLength) }

  /// The name of a user or a guest.
  static func name(_ argument: Argument) throws(ChatError) -> String { try visible(argument, ChatSettings.maxNameLength) }

  /// The name of a role; whether it exists is decided where the roles are known.
  static func role(_ argument: Argument) throws(ChatError) -> String { try visible(argument, CallLimits.maxRoleLength) }

  /// What makes a send idempotent.
  static func clientMessageId(_ argument: Argument) throws(ChatError) -> String {
    try visible(argument, ChatSettings.maxClientMessageIdLength)
  }

  /// A language tag (RFC 5646 §2.1).
  static func locale(_ argument: Argument) throws(ChatError) -> String {
    let text = try visible(argument, CallLimits.maxLocaleLength)
    let isTag = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "-"): true
      default: false
      }
    }
    guard isTag else { throw argument.invalid("must be a language tag such as en or pt-BR") }
    return text
  }

  /// The address of a picture: http or https with a host.
  static func url(_ argument: Argument) throws(ChatError) -> String {
    let text = try bounded(argument, CallLimits.maxURLLength)
    let lower = text.prefix(8).lowercased()
    let scheme = ["https://", "http://"].first { lower.utf8.starts(with: $0.utf8) }
    guard let scheme, let host = text.utf8.dropFirst(scheme.utf8.count).first, !"/?#:@".utf8.contains(host) else {
      throw argument.invalid("must be an http or https address")
    }
    let isPlain = text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.properties.generalCategory != .control }
    guard isPlain else { throw argument.invalid("must not contain white space or control characters") }
    return text
  }

  /// A text of at most that many scalars.
  static func bounded(_ argument: Argument, _ maxScalars: Int) throws(ChatError) -> String {
    let text = try string(argument)
    guard text.hasAtMost(scalars: maxScalars) else { throw argument.tooLarge("must have at most \(maxScalars) characters") }
    return text
  }

  /// A text of at most that many scalars that is not empty and not only white space.
  static func visible(_ argument: Argument, _ maxScalars: Int) throws(ChatError) -> String {
    let text = try bounded(argument, maxScalars)
    guard !text.isBlank else { throw argument.invalid("must not be empty") }
    return text
  }
}

/// How a subscription tells of changes.
enum SubscriptionMode: String, CaseIterable {
  /// Every change comes as a whole snapshot.
  case snapshot
}

extension String {
  /// Whether the text keeps a bound in Unicode scalars.
  func hasAtMost(scalars limit: Int) -> Bool {
    let bytes = utf8.count
    // A scalar has one to four bytes: most texts need not be counted scalar by scalar.
    return bytes <= limit || bytes / 4 <= limit && unicodeScalars.count <= limit
  }

  /// Whether the text is empty or only white space.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
