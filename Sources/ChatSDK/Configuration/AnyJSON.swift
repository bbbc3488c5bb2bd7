import FoundationEssentials

/// What has a form in JSON.
public protocol JSONCodable: Sendable {
  /// The value as JSON.
  var codableValue: AnyJSON { get }
}

extension JSONCodable {
  /// Reads the value as another type.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(codableValue))
  }
}

/// Any JSON value.
public enum AnyJSON: Hashable, Sendable, Codable, JSONCodable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([AnyJSON])
  case dictionary([String: AnyJSON])

  public var codableValue: AnyJSON { self }

  /// Takes a Swift value: strings, numbers, truth values, arrays and dictionaries of them, and optionals; nil for all else.
  public init?(any value: Any) {
    switch value {
    case let json as AnyJSON: self = json
    case let text as String: self = .string(text)
    case let flag as Bool: self = .boolean(flag)
    case let number as any BinaryInteger:
      guard let whole = Int64(exactly: number) else { return nil }
      self = .integer(whole)
    case let number as Double: self = .double(number)
    case let number as Float: self = .double(Double(number))
    case let file as EventContent.File: self = file.json
    case let elements as [Any]:
      var array: [AnyJSON] = []
      for element in elements {
        guard let json = AnyJSON(any: element) else { return nil }
        array.append(json)
      }
      self = .array(array)
    case let members as [String: Any]:
      var dictionary: [String: AnyJSON] = [:]
      for (key, member) in members {
        guard let json = AnyJSON(any: member) else { return nil }
        dictionary[key] = json
      }
      self = .dictionary(dictionary)
    default:
      // An optional in `Any` is a case of its own.
      guard Mirror(reflecting: value).displayStyle == .optional else { return nil }
      guard let inner = Mirror(reflecting: value).children.first?.value else {
        self = .null
        return
      }
      self.init(any: inner)
    }
  }

  // MARK: - Parts

  /// The member of an object; nil for all else.
  public subscript(key: String) -> AnyJSON? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  /// The element of an array; nil for all else.
  public subscript(index: Int) -> AnyJSON? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  public var stringOptional: String? { if case .string(let text) = self { text } else { nil } }

  public var boolOptional: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  public var intOptional: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }

  public var doubleOptional: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .boolean, .string, .array, .dictionary: nil
    }
  }

  /// The elements of an array as Swift values.
  public var arrayOptional: [Any]? { if case .array(let elements) = self { elements.map(\.rawValue) } else { nil } }

  /// The members of an object as Swift values.
  public var dictionaryOptional: [String: Any]? {
    if case .dictionary(let members) = self { members.mapValues(\.rawValue) } else { nil }
  }

  /// Whether it is `null`.
  public var isNil: Bool { self == .null }

  /// The Swift value; `null` is an empty optional of `Any`.
  public var rawValue: Any {
    switch self {
    case .null: Any?.none as Any
    case .boolean(let flag): flag
    case .integer(let number): Int(exactly: number) ?? number
    case .double(let number): number
    case .string(let text): text
    case .array(let elements): elements.map(\.rawValue)
    case .dictionary(let members): members.mapValues(\.rawValue)
    }
  }

  // MARK: - Text

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([AnyJSON].self) {
      self = .array(elements)
    } else {
      self = .dictionary(try container.decode([String: AnyJSON].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .dictionary(let members): try container.encode(members)
    }
  }

  /// Reads a text; nil where it is no JSON.
  package init?(text: String) {
    guard let json = try? JSONDecoder().decode(AnyJSON.self, from: Data(text.utf8)) else { return nil }
    self = json
  }

  /// The value as text, members in the order of their keys; nil for numbers that JSON has not.
  package var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension EventContent.File {
  var json: AnyJSON {
    .dictionary(["id": .string(id), "name": .string(name), "url": .string(url), "type": type.map(AnyJSON.string) ?? .null])
  }

  init?(_ json: AnyJSON) {
    guard let id = json["id"]?.stringOptional, let name = json["name"]?.stringOptional, let url = json["url"]?.stringOptional else {
      return nil
    }
    self.init(id: id, name: name, url: url, type: json["type"]?.stringOptional)
  }
}
