import ChatModel
import JSON

/// Why a message of the gateway cannot be read: the member that is missing or of another type.
struct MalformedMessage: Error, Equatable {
  let member: String
}

/// A value of the gateway's with the name under which it stands.
///
/// Members that are not known are passed over; one that may be `null` may be absent too, as a gateway of an earlier version leaves it out.
struct ServerValue {
  let value: JSONValue
  let name: StaticString

  private var malformed: MalformedMessage { MalformedMessage(member: name.description) }

  /// A member; nil where it is absent or `null`.
  func optional(_ name: StaticString) -> ServerValue? {
    guard let member = value[name], !member.isNull else { return nil }
    return ServerValue(value: member, name: name)
  }

  /// A member that must be there.
  func required(_ name: StaticString) throws(MalformedMessage) -> ServerValue {
    guard let member = optional(name) else { throw MalformedMessage(member: name.description) }
    return member
  }

  func string() throws(MalformedMessage) -> String {
    guard let text = value.string else { throw malformed }
    return text
  }

  func integer() throws(MalformedMessage) -> Int64 {
    guard let number = value.integer else { throw malformed }
    return number
  }

  /// A whole number that is not negative.
  func count() throws(MalformedMessage) -> Int {
    guard let number = value.integer, number >= 0, let count = Int(exactly: number) else { throw malformed }
    return count
  }

  func bool() throws(MalformedMessage) -> Bool {
    guard let flag = value.bool else { throw malformed }
    return flag
  }

  /// One of the names of a closed list.
  func choice<Choice: RawRepresentable>(_ type: Choice.Type = Choice.self) throws(MalformedMessage) -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try string()) else { throw malformed }
    return choice
  }

  func list<Element>(_ read: (ServerValue) throws(MalformedMessage) -> Element) throws(MalformedMessage) -> [Element] {
    guard let elements = value.array else { throw malformed }
    var list: [Element] = []
    list.reserveCapacity(elements.count)
    for element in elements { list.append(try read(ServerValue(value: element, name: name))) }
    return list
  }

  func custom() throws(MalformedMessage) -> CustomFields {
    guard let members = value.object else { throw malformed }
    var custom = CustomFields()
    for member in members { custom[member.key] = try ServerValue(value: member.value, name: name).string() }
    return custom
  }

  func user() throws(MalformedMessage) -> UserID { UserID(stored: try string()) }

  func conversation() throws(MalformedMessage) -> ConversationID { ConversationID(stored: try string()) }

  func topic() throws(MalformedMessage) -> Topic {
    do throws(ChatError) { return try TopicName.parse(try stringForTopic()) } catch { throw malformed }
  }

  private func stringForTopic() throws(ChatError) -> String {
    guard let text = value.string else { throw .invalid(name.description, "must be a string") }
    return text
  }

  func notify() throws(MalformedMessage) -> Notify {
    if let isOn = value.bool { return isOn ? .always : .never }
    guard value.isString("MentionsOnly") else { throw malformed }
    return .mentionsOnly
  }
}
