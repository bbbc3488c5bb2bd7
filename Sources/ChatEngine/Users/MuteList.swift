package import ChatModel

/// Changes a list of whom a user does not see: the rules are those of a session's list and of one that is kept.
package enum MuteList {
  /// The list after an operation; nil where it asks for no change.
  package static func changed(_ list: Set<UserID>, by operation: UserOperation, of owner: UserID) throws(ChatError) -> Set<UserID>? {
    switch operation {
    case .mute(let user):
      guard user != owner else { throw .invalid("user", "must be another user") }
      guard !list.contains(user) else { return nil }
      guard list.count < ChatSettings.maxMuted else {
        throw ChatError(.limitExceeded, "A mute list has at most \(ChatSettings.maxMuted) users", field: "user")
      }
      return list.union([user])
    case .unmute(let user): return list.contains(user) ? list.subtracting([user]) : nil
    case .get, .whereabouts, .createIfNotExists, .set, .deleteFields, .registerDevice, .unregisterDevice, .muted: return nil
    }
  }
}

extension UserOperation {
  /// Whether it is about whom the user does not see.
  package var isAboutMuted: Bool {
    switch self {
    case .mute, .unmute, .muted: true
    case .get, .whereabouts, .createIfNotExists, .set, .deleteFields, .registerDevice, .unregisterDevice: false
    }
  }
}
