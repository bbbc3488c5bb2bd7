import FoundationEssentials

/// A value of the file as it was written, before anybody asked whether it fits.
package enum ConfigurationValue: Sendable, Equatable {
  case null
  case flag(Bool)
  case integer(Int)
  /// A number that is no `Int`.
  case number(Double)
  case text(String)
  case list([ConfigurationValue])
  /// Members in the order of the table when printed, of their names when read: the decoder keeps no order.
  case object([Member])

  /// One key of an object with its value.
  package struct Member: Sendable, Equatable {
    /// The key.
    package let name: String
    /// Its value.
    package let value: ConfigurationValue

    /// A key with its value.
    package init(_ name: String, _ value: ConfigurationValue) {
      self.name = name
      self.value = value
    }
  }

  /// What it is, in words and without its content, so that a secret can be complained about.
  var kind: String {
    switch self {
    case .null: "null"
    case .flag: "true or false"
    case .integer: "a number"
    case .number: "a number with a fraction or beyond 64 bits"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension ConfigurationValue: Decodable {
  /// Reads any JSON value.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([ConfigurationValue].self) {
      self = .list(list)
    } else {
      let members = try container.decode([String: ConfigurationValue].self)
      self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }
  }

  /// Why a text is not JSON5.
  package struct SyntaxError: Error, Equatable {
    /// The line, from 1, where the mistake was seen, if it was.
    package let line: Int?
    /// What would be right, as half a sentence.
    package let advice: String
  }

  /// Reads a JSON5 text.
  package static func parse(_ text: String) throws(SyntaxError) -> ConfigurationValue {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(ConfigurationValue.self, from: Data(text.utf8))
    } catch {
      let mistake = JSON5Outline(of: text).mistake
      throw SyntaxError(line: mistake?.line, advice: mistake?.what.rawValue ?? "check its numbers, escapes and depth")
    }
  }
}

extension ConfigurationValue {
  /// The value as JSON5 text, indented by two spaces a level.
  package func rendered(depth: Int = 0) -> String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): number.isNaN ? "NaN" : number.isFinite ? "\(number)" : number < 0 ? "-Infinity" : "Infinity"
    case .text(let text): Self.quoted(text)
    case .list(let items): "[" + items.map { $0.rendered(depth: depth + 1) }.joined(separator: ", ") + "]"
    case .object(let members): Self.braced(members, depth: depth)
    }
  }

  private static func braced(_ members: [Member], depth: Int) -> String {
    guard !members.isEmpty else { return "{}" }
    let indent = String(repeating: "  ", count: depth + 1)
    let lines = members.map { "\(indent)\(key($0.name)): \($0.value.rendered(depth: depth + 1)),\n" }
    return "{\n" + lines.joined() + String(repeating: "  ", count: depth) + "}"
  }

  private static func key(_ name: String) -> String {
    let isBare = name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isBare ? name : quoted(name)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x80...0x9F).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
