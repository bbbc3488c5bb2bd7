import ChatModel
import JSON

/// Reads which conversations a list shows (`docs/lists.md`).
struct ReadFilter {
  /// What is read at present, as an error names it.
  private struct Place {
    let path: String
    let value: JSONValue

    func invalid(_ reason: String) -> ChatError { .invalid(path, reason) }
    func tooLarge(_ reason: String) -> ChatError { .tooLarge(path, reason) }
  }

  private var bytes = 0

  /// A filter; nil where every conversation passes.
  static func filter(_ argument: Argument) throws(ChatError) -> ConversationFilter? {
    var reader = ReadFilter()
    let place = Place(path: argument.name.description, value: argument.value)
    let alternatives = try reader.alternatives(place)
    guard reader.bytes <= ConversationFilter.maxBytes else {
      throw place.tooLarge("must have at most \(ConversationFilter.maxBytes) bytes of keys and texts")
    }
    return ConversationFilter(anyOf: alternatives)
  }

  private mutating func alternatives(_ place: Place) throws(ChatError) -> [ConversationConditions] {
    guard let compound = place.value.array else { return [try conditions(place)] }
    guard let (name, operand) = Self.pair(compound), name.isString("any"), let filters = operand.array else {
      throw place.invalid("must be an object of conditions, or [\"any\", [filters]]")
    }
    guard filters.count > 0 else { throw place.invalid("must have a filter at least") }
    guard filters.count <= ConversationFilter.maxAlternatives else {
      throw place.tooLarge("must have at most \(ConversationFilter.maxAlternatives) filters")
    }
    var alternatives: [ConversationConditions] = []
    for filter in filters { alternatives.append(try conditions(Place(path: "\(place.path)[\(alternatives.count)]", value: filter))) }
    return alternatives
  }

  private mutating func conditions(_ place: Place) throws(ChatError) -> ConversationConditions {
    guard let members = place.value.object else { throw place.invalid("must be an object of conditions") }
    var conditions = ConversationConditions()
    for member in members {
      let key = member.key
      let inner = Place(path: "\(place.path).\(key.quotedName)", value: member.value)
      switch key {
      case "access": conditions.access = try access(inner)
      case "subject": conditions.subject = try text(inner, mayBeNull: true)
      case "custom": for custom in try custom(inner) { conditions.add(custom) }
      case "createdAt": conditions.createdAt = try number(inner)
      case "lastMessageAt": conditions.lastMessageAt = try number(inner)
      case "hasMessages": conditions.hasMessages = try flag(inner)
      case "isUnread": conditions.isUnread = try flag(inner)
      default:
        throw inner.invalid("is no condition; there are access, subject, custom, createdAt, lastMessageAt, hasMessages and isUnread")
      }
    }
    return conditions
  }

  // MARK: Conditions

  private mutating func access(_ place: Place) throws(ChatError) -> TextCondition {
    let condition = try text(place, mayBeNull: false)
    guard condition.texts.allSatisfy({ Access(rawValue: $0.text) != nil }) else {
      throw place.invalid("must be compared with " + Access.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
    }
    return condition
  }

  private mutating func custom(_ place: Place) throws(ChatError) -> [ConversationConditions.Custom] {
    guard let members = place.value.object else { throw place.invalid("must be an object of conditions") }
    guard members.count <= ConversationFilter.maxCustomKeys else {
      throw place.tooLarge("must have at most \(ConversationFilter.maxCustomKeys) keys")
    }
    var conditions: [ConversationConditions.Custom] = []
    for member in members {
      let key = member.key
      bytes += key.utf8.count
      let inner = Place(path: "\(place.path).\(key.quotedName)", value: member.value)
      let condition = if let existence = try existence(inner) { existence } else { try text(inner, mayBeNull: false) }
      conditions.append(ConversationConditions.Custom(key: key, condition))
    }
    return conditions
  }

  /// The two conditions that are not compared with anything; nil for others.
  private func existence(_ place: Place) throws(ChatError) -> TextCondition? {
    guard let word = place.value.string else { return nil }
    switch word {
    case "exists": return .exists
    case "!exists": return .isAbsent
    default: throw place.invalid("must be \"exists\", \"!exists\", or an operator and what it compares with")
    }
  }

  private mutating func text(_ place: Place, mayBeNull: Bool) throws(ChatError) -> TextCondition {
    guard let (name, operand) = place.value.array.flatMap(Self.pair), let name = name.string else {
      throw place.invalid("must be an operator and what it compares with, as in [\"==\", \"x\"]")
    }
    switch name {
    case "==": return .isOneOf([try string(operand, in: place, mayBeNull)])
    case "!=": return .isNoneOf([try string(operand, in: place, mayBeNull)])
    case "oneOf": return .isOneOf(try strings(operand, in: place, mayBeNull))
    case "!oneOf": return .isNoneOf(try strings(operand, in: place, mayBeNull))
    default: throw place.invalid("has an unknown operator; texts have ==, !=, oneOf and !oneOf")
    }
  }

  private mutating func string(_ value: JSONValue, in place: Place, _ mayBeNull: Bool) throws(ChatError) -> String? {
    if mayBeNull, value.isNull { return nil }
    guard let text = value.string else { throw place.invalid(mayBeNull ? "must name a string or null" : "must name a string") }
    bytes += text.utf8.count
    return text
  }

  private mutating func strings(_ value: JSONValue, in place: Place, _ mayBeNull: Bool) throws(ChatError) -> [String?] {
    guard let elements = value.array else { throw place.invalid("must name an array of strings") }
    guard elements.count <= ConversationFilter.maxValues else {
      throw place.tooLarge("must name at most \(ConversationFilter.maxValues) strings")
    }
    var texts: [String?] = []
    for element in elements { texts.append(try string(element, in: place, mayBeNull)) }
    return texts
  }

  private func number(_ place: Place) throws(ChatError) -> NumberCondition {
    guard let (name, operand) = place.value.array.flatMap(Self.pair), let name = name.string else {
      throw place.invalid("must be an operator and what it compares with, as in [\">\", 0]")
    }
    switch name {
    case ">": return .above(try whole(operand, in: place))
    case "<": return .below(try whole(operand, in: place))
    case ">=": return .atLeast(try whole(operand, in: place))
    case "<=": return .atMost(try whole(operand, in: place))
    case "between": return .inside(try range(operand, in: place))
    case "!between": return .outside(try range(operand, in: place))
    default: throw place.invalid("has an unknown operator; numbers have >, <, >=, <=, between and !between")
    }
  }

  private func whole(_ value: JSONValue, in place: Place) throws(ChatError) -> Int64 {
    guard let number = value.integer else { throw place.invalid("must name a whole number") }
    return number
  }

  private func range(_ value: JSONValue, in place: Place) throws(ChatError) -> ClosedRange<Int64> {
    guard let (first, last) = value.array.flatMap(Self.pair) else { throw place.invalid("must name two whole numbers") }
    let (low, high) = (try whole(first, in: place), try whole(last, in: place))
    guard low <= high else { throw place.invalid("must name the lower number first") }
    return low...high
  }

  private func flag(_ place: Place) throws(ChatError) -> Bool {
    guard let flag = place.value.bool else { throw place.invalid("must be true or false") }
    return flag
  }

  /// The two elements of an array that has just two.
  private static func pair(_ array: JSONArray) -> (JSONValue, JSONValue)? {
    var elements = array.makeIterator()
    guard let first = elements.next(), let second = elements.next(), elements.next() == nil else { return nil }
    return (first, second)
  }
}
