import ChatEngine
import ChatModel
import JSON

extension StoredFields {
  /// Binds counted reactions as a JSON array of pairs: the emoji and the number.
  func bind(_ reactions: [ReactionCount], to statement: Statement) {
    bind(to: statement, isEmpty: reactions.isEmpty) { writer in
      writer.beginArray()
      for reaction in reactions {
        writer.beginArray()
        writer.string(reaction.emoji.text)
        writer.integer(Int64(reaction.count))
        writer.endArray()
      }
      writer.endArray()
    }
  }

  /// Reads counted reactions from the next column.
  func reactions(from statement: Statement) throws(StoreError) -> [ReactionCount] {
    try read(from: statement, ifNull: []) { root in
      guard let elements = root.array else { return nil }
      var reactions: [ReactionCount] = []
      for element in elements {
        guard let pair = element.array.map(Array.init), pair.count == 2, let emoji = pair[0].string, let count = pair[1].integer else {
          return nil
        }
        reactions.append(ReactionCount(emoji: ReactionEmoji(stored: emoji), count: Int(count)))
      }
      return reactions
    }
  }
}
