import ChatModel
import JSON

/// The members of a block or a node; each fault names the member.
struct ContentMembers {
  private let value: JSONValue
  let object: JSONObject

  init(_ value: JSONValue) throws(ContentFault) {
    guard let object = value.object else { throw .invalid("", "must be an object") }
    self.value = value
    self.object = object
  }

  /// A member that must be a string.
  func string(_ key: StaticString) throws(ContentFault) -> String {
    guard let text = try optionalString(key) else { throw .invalid(".\(key)", "is missing") }
    return text
  }

  /// A member that may be absent or, which is the same, `null`.
  func optionalString(_ key: StaticString) throws(ContentFault) -> String? {
    guard let member = value[key], !member.isNull else { return nil }
    guard let text = member.string else { throw .invalid(".\(key)", "must be a string") }
    return text
  }

  /// A member that must be a number.
  func number(_ key: StaticString) throws(ContentFault) -> Double {
    guard let member = value[key] else { throw .invalid(".\(key)", "is missing") }
    guard let number = member.double else { throw .invalid(".\(key)", "must be a number") }
    return number
  }

  /// A member that must be an array; nil when it is absent.
  func array(_ key: StaticString) throws(ContentFault) -> JSONArray? {
    guard let member = value[key] else { return nil }
    guard let array = member.array else { throw .invalid(".\(key)", "must be an array") }
    return array
  }

  /// A member that may be absent and is an object of strings.
  func strings(_ key: StaticString) throws(ContentFault) -> CustomFields {
    guard let member = value[key], !member.isNull else { return CustomFields() }
    guard let object = member.object else { throw .invalid(".\(key)", "must be an object of strings") }
    var pairs: [(key: String, value: String)] = []
    for member in object {
      guard pairs.count < CustomFields.maxKeys else { throw .tooLarge(".\(key)", "must have at most \(CustomFields.maxKeys) keys") }
      guard let text = member.value.string else { throw .invalid(".\(key)", "must hold only strings") }
      pairs.append((member.key, text))
    }
    return CustomFields(pairs)
  }

  /// Refuses members that the kind does not have.
  func refuseOthers(than known: StaticString...) throws(ContentFault) {
    for member in object where !known.contains(where: { member.hasKey($0) }) {
      throw .invalid(".\(member.key.quotedName)", "is not a member of this kind")
    }
  }
}
