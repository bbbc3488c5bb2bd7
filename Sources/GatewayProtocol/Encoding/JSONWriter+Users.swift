import ChatModel
import JSON

extension JSONWriter {
  /// Writes a user as others see them.
  mutating func user(_ user: UserSnapshot) {
    beginObject()
    field("id", user.id.text)
    field("name", user.name)
    field("role", user.role)
    field("photoUrl", user.photoUrl)
    field("locale", user.locale)
    key("custom")
    custom(user.custom)
    field("welcomeMessage", user.welcomeMessage)
    field("lastActiveAt", ifPresent: user.lastActiveAt)
    endObject()
  }

  /// Writes whether a user is connected.
  mutating func online(_ online: OnlineSnapshot) {
    beginObject()
    key("user")
    user(online.user)
    field("isConnected", online.isConnected)
    endObject()
  }

  /// Writes the application's own pairs, in the order of their keys.
  mutating func custom(_ custom: CustomFields) {
    beginObject()
    for entry in custom.entries {
      key(named: entry.key)
      string(entry.value)
    }
    endObject()
  }

  /// Writes a value, or `null` where there is none.
  mutating func optional<Value>(_ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
    if let value { write(&self, value) } else { null() }
  }

  /// Writes an array.
  mutating func list<Value>(_ values: [Value], _ write: (inout JSONWriter, Value) -> Void) {
    beginArray()
    for value in values { write(&self, value) }
    endArray()
  }
}
