import ChatEngine
import ChatModel

/// Reads who reacted with what.
struct ReactionQueries {
  private let ofUser: Statement

  init(_ database: Database) throws(StoreError) {
    ofUser = try database.prepare("SELECT emoji FROM reactions WHERE conversation = ?1 AND number = ?2 AND user = ?3")
  }

  /// What some users reacted with to some messages: one seek for each pair of them.
  func reactions(_ conversation: Int64, of users: [UserID], on messages: some Sequence<MessageNumber>) throws(StoreError) -> [Reaction] {
    var found: [Reaction] = []
    for message in messages {
      for user in users {
        try ofUser.use { (statement) throws(StoreError) in
          statement.bind(conversation)
          statement.bind(message)
          statement.bind(user.text)
          while try statement.step() {
            found.append(Reaction(message: message, user: user, emoji: ReactionEmoji(stored: statement.text())))
          }
        }
      }
    }
    return found
  }

  /// What one user reacted with to those of some messages that have reactions.
  func own(_ conversation: Int64, of user: UserID, on messages: some Sequence<MessageRecord>) throws(StoreError) -> OwnReactions {
    OwnReactions(try reactions(conversation, of: [user], on: Set(messages.lazy.filter { !$0.reactions.isEmpty }.map(\.number))))
  }
}
