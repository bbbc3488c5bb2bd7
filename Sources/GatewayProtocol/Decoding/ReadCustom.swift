import ChatModel
import JSON

/// The readers of the application's own key-value pairs.
enum ReadCustom {
  /// The pairs of a new message.
  static func fields(_ argument: Argument) throws(ChatError) -> CustomFields {
    CustomFields(try changes(argument, allowsRemoval: false).compactMap { change in change.value.map { (change.key, $0) } })
  }

  /// The keys of a patch with their new values; nil removes a key, where that is allowed.
  static func changes(_ argument: Argument, allowsRemoval: Bool) throws(ChatError) -> [CustomPatch.Change] {
    guard let members = argument.value.object else { throw argument.invalid("must be an object of strings") }
    // As many keys again may be removed as may be there.
    guard members.count <= 2 * CustomFields.maxKeys else { throw tooMany(argument) }
    var changes: [CustomPatch.Change] = []
    var kept = 0
    var bytes = 0
    for member in members {
      let value = member.value.string
      guard value != nil || allowsRemoval && member.value.isNull else {
        throw argument.invalid(allowsRemoval ? "must hold only strings, or null to remove a key" : "must hold only strings")
      }
      changes.append(CustomPatch.Change(key: member.key, value: value))
      guard let value else { continue }
      kept += 1
      bytes += member.keyBytes.count + value.utf8.count
    }
    guard kept <= CustomFields.maxKeys else { throw tooMany(argument) }
    guard bytes <= CustomFields.maxBytes else {
      throw argument.tooLarge("must have at most \(CustomFields.maxBytes) bytes of keys and values")
    }
    return changes
  }

  private static func tooMany(_ argument: Argument) -> ChatError {
    argument.tooLarge("must have at most \(CustomFields.maxKeys) keys")
  }
}
