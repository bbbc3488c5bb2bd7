import ChatModel
import JSON

/// The readers of parameters that are lists of texts.
enum ReadLists {
  /// The greetings of a conversation.
  static func welcomeMessages(_ argument: Argument) throws(ChatError) -> [String] {
    try strings(argument, atMost: ChatSettings.maxWelcomeMessages, ofLength: ChatSettings.maxWelcomeLength)
  }

  /// The users whom a call invites.
  static func users(_ argument: Argument) throws(ChatError) -> [UserID] {
    let names = try strings(argument, atMost: ChatSettings.maxInvited, ofLength: Identifier.maxScalars)
    var users: [UserID] = []
    for name in names {
      do throws(IdentifierViolation) { users.append(try UserID(name)) } catch { throw argument.invalid("has an id that \(error.sentence)") }
    }
    return users
  }

  /// The email addresses or telephone numbers of a user; only their lengths are checked.
  static func addresses(_ argument: Argument) throws(ChatError) -> [String] {
    try strings(argument, atMost: CallLimits.maxAddresses, ofLength: CallLimits.maxAddressLength)
  }

  /// The fields that `conversation.deleteFields` resets.
  static func conversationFields(_ argument: Argument) throws(ChatError) -> [ConversationField] {
    try fields(argument, "subject, photoUrl, welcomeMessages, custom, custom.KEY, access or notify") { name in
      switch name {
      case "subject": .subject
      case "photoUrl": .photoUrl
      case "welcomeMessages": .welcomeMessages
      case "custom": .custom
      case "access": .access
      case "notify": .notify
      default: customKey(name).map { .customKey($0) }
      }
    }
  }

  /// The fields that `message.deleteFields` resets.
  static func messageFields(_ argument: Argument) throws(ChatError) -> [MessageField] {
    try fields(argument, "custom or custom.KEY") { name in
      name == "custom" ? .custom : customKey(name).map { .customKey($0) }
    }
  }

  /// The fields that `participant.deleteFields` resets.
  static func participantFields(_ argument: Argument) throws(ChatError) -> [ParticipantField] {
    try fields(argument, "access or notify") { name in
      switch name {
      case "access": .access
      case "notify": .notify
      default: nil
      }
    }
  }

  /// The fields that `user.deleteFields` resets.
  static func userFields(_ argument: Argument) throws(ChatError) -> [UserField] {
    try fields(argument, "photoUrl, custom, custom.KEY, locale, role, email, phone or welcomeMessage") { name in
      switch name {
      case "photoUrl": .photoUrl
      case "custom": .custom
      case "locale": .locale
      case "role": .role
      case "email": .email
      case "phone": .phone
      case "welcomeMessage": .welcomeMessage
      default: customKey(name).map { .customKey($0) }
      }
    }
  }

  private static func fields<Field>(
    _ argument: Argument, _ choices: String, _ field: (String) -> Field?
  ) throws(ChatError) -> [Field] {
    guard let names = argument.value.array else { throw argument.invalid("must be an array of names") }
    var fields: [Field] = []
    for name in names {
      guard let name = name.string, let field = field(name) else { throw argument.invalid("may hold only \(choices)") }
      fields.append(field)
    }
    return fields
  }

  // Bytes, because a combining mark after the point would be one character with it.
  private static func customKey(_ name: String) -> String? {
    let prefix = "custom."
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  private static func strings(_ argument: Argument, atMost count: Int, ofLength length: Int) throws(ChatError) -> [String] {
    guard let elements = argument.value.array else { throw argument.invalid("must be an array of strings") }
    guard elements.count <= count else { throw argument.tooLarge("must have at most \(count) elements") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.string else { throw argument.invalid("must hold only strings") }
      guard text.hasAtMost(scalars: length) else { throw argument.tooLarge("must hold strings of at most \(length) characters") }
      texts.append(text)
    }
    return texts
  }
}
