/// What a session with a role may do; a fresh value is the default role.
package struct RoleSettings: Sendable, Equatable {
  /// The role of sessions whose token names none.
  package static let defaultName = "default"

  /// How far a permission reaches.
  package enum Reach: String, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// What is the user's own.
    case own
    /// Everybody's.
    case all
  }

  /// What may be done with messages.
  package var messages = Messages()
  /// Sends files.
  package var files = true
  /// Sends locations.
  package var locations = true
  /// Sends links with a text of their own, action links and buttons.
  package var links = false
  /// Bans, mutes and sees reports.
  package var moderate = false
  /// Changes other users' records and roles.
  package var manageUsers = false
  /// Changes and deletes conversations without being in them.
  package var manageConversations = false

  /// What may be done with messages, and with whose.
  package struct Messages: Sendable, Equatable {
    /// Sends messages.
    package var send = Reach.all
    /// Reacts to messages.
    package var react = Reach.all
    /// Replies to messages.
    package var reply = Reach.all
    /// Edits messages.
    package var edit = Reach.own
    /// Deletes messages.
    package var delete = Reach.own
  }

  /// The default role.
  package init() {}
}
