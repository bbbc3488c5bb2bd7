import GatewayProtocol

/// Good values of all parameters, and which bad-looking ones are good too.
enum Samples {
  /// A good value of every parameter of a method, as JSON; those that exclude each other are both there.
  static func params(of method: Method) -> [(name: String, value: String)] {
    names(of: method).map { ($0, values[$0] ?? #""x""#) }
  }

  /// Whether a good value must go where another parameter is tried: its own, and one of each two that exclude each other.
  static func isReplaced(_ name: String, by tried: String) -> Bool {
    if name == tried || excluded[tried] == name { return true }
    return excluded[tried] == nil && ["content", "after", "guest"].contains(name)
  }

  private static let excluded = [
    "text": "content", "content": "text", "before": "after", "after": "before", "token": "guest", "guest": "token",
  ]

  /// Whether a value of that kind is good after all.
  static func accepts(_ kind: String, _ name: String, in method: Method) -> Bool {
    if name == "actAs" { return kind == "null" }
    switch kind {
    case "null": return isNullable(name, in: method)
    case "bool": return ["notify", "ban", "mute"].contains(name)
    case "negative", "beyond": return name == "count"
    case "empty": return ["subject", "welcomeMessage", "message"].contains(name) || isOpaque(name, in: method)
    case "huge": return name == "message" || isOpaque(name, in: method)
    case "array": return ["welcomeMessages", "email", "phone", "fields", "users"].contains(name)
    case "object": return ["custom", "guest", "filter"].contains(name)
    case "proto": return name == "custom" && [.conversationSet, .messageEdit, .userSet].contains(method)
    default: return false
    }
  }

  /// The parameter that the error names.
  static func blamed(_ name: String, _ kind: String) -> String {
    switch (name, kind) {
    // A null is an absent one: neither of the two is there.
    case ("content", "null"): "text"
    case ("content", "nested"): "content[0]"
    case ("guest", "null"): "token"
    case ("guest", "proto"): "guest.__proto__"
    case ("filter", "proto"): "filter.__proto__"
    default: name
    }
  }

  /// Texts that are not looked into.
  private static func isOpaque(_ name: String, in method: Method) -> Bool {
    switch (name, method) {
    // A user's id.
    case ("after", .moderationList), ("after", .conversationInvitees), ("after", .presenceHere): false
    case ("referencedMessage", _), ("before", _), ("after", _), ("upTo", _), ("from", _), ("token", _): true
    default: false
    }
  }

  private static let values = [
    "custom": #"{"k":"v"}"#, "guest": "{}", "type": #""group""#, "photoUrl": #""http://x""#, "welcomeMessages": #"["a"]"#,
    "access": #""Read""#, "notify": "true", "limit": "5", "count": "5", "mode": #""snapshot""#, "topic": #""conversations""#,
    "filter": #"{"isUnread":true}"#,
    "content": #"[{"type":"text","children":["x"]}]"#, "email": #"["a"]"#, "phone": #"["a"]"#, "fields": "[]",
    "ban": "true", "mute": "true", "gateway": #""apns""#, "environment": #""production""#, "emoji": #"":a:""#, "users": #"["x"]"#,
  ]

  private static func isNullable(_ name: String, in method: Method) -> Bool {
    switch name {
    case "conversation": method == .conversationCreateIfNotExists
    case "text", "content": method == .messageEdit
    case "reason": method == .moderationSet
    // Only an app of Apple's has one.
    case "topic": method == .pushRegister
    case "user", "users", "name", "message", "emoji", "fields", "token", "guest", "device", "gateway", "unknown", "__proto__": false
    default: true
    }
  }

  private static func names(of method: Method) -> [String] {
    let text: String
    switch method {
    case .ping, .sessionClose, .fileToken, .conversationMarkAllAsRead: text = ""
    case .sessionOpen: text = "token guest"
    case .sessionRefresh: text = "token"
    case .sessionList, .sessionRevoke, .userGet: text = "user"
    case .conversationCreateIfNotExists: text = "conversation type with subject photoUrl welcomeMessages custom access notify"
    case .conversationSet: text = "conversation subject photoUrl welcomeMessages custom access notify"
    case .conversationDeleteFields: text = "conversation fields"
    case .conversationPin: text = "conversation message"
    case .messageAddReaction, .messageRemoveReaction: text = "conversation message emoji"
    case .conversationUnpin, .conversationGet, .conversationDelete, .conversationMarkAsUnread, .conversationMarkAsTyping,
      .conversationStartTyping,
      .conversationStopTyping:
      text = "conversation"
    case .conversationSend: text = "conversation text content referencedMessage custom clientMessageId"
    case .conversationHistory: text = "conversation before after limit"
    case .conversationMarkAsRead: text = "conversation upTo"
    case .messageGet, .messageDelete, .messageThread, .moderationDismiss: text = "conversation message"
    case .messageEdit: text = "conversation message text content custom"
    case .messageDeleteFields: text = "conversation message fields"
    case .participantGet, .participantDelete: text = "conversation user"
    case .participantCreateIfNotExists, .participantSet, .participantEdit: text = "conversation user access notify"
    case .participantDeleteFields: text = "conversation user fields"
    case .userCreateIfNotExists, .userSet: text = "user name photoUrl custom locale role email phone welcomeMessage"
    case .userDeleteFields: text = "user fields"
    case .conversationInvite: text = "conversation users"
    case .conversationReport: text = "conversation message reason"
    case .moderationReports: text = "conversation before limit"
    case .moderationSet: text = "conversation user ban mute reason"
    case .moderationList, .conversationInvitees: text = "conversation after limit"
    case .userMute, .userUnmute: text = "user"
    case .userMuted: text = ""
    case .presenceHere: text = "conversation limit after"
    case .presenceWhere: text = "user"
    case .pushRegister: text = "device gateway topic environment"
    case .pushUnregister: text = "device"
    case .subscribe: text = "topic mode from filter"
    case .unsubscribe: text = "topic"
    case .loadMore: text = "topic count"
    }
    return text.split(separator: " ").map(String.init)
  }
}
