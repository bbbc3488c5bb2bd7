import ChatModel
import JSON

extension JSONWriter {
  /// Writes what is forbidden a user.
  mutating func restriction(_ restriction: RestrictionSnapshot) {
    beginObject()
    key("user")
    user(restriction.user)
    field("ban", restriction.isBanned)
    field("mute", restriction.isMuted)
    field("reason", restriction.reason)
    field("setBy", restriction.setBy.text)
    field("setAt", restriction.setAt)
    endObject()
  }
}
