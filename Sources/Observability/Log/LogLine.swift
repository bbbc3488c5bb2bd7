/// An event as one line, without its newline.
package enum LogLine {
  /// For people: time, level, name, message if any, then `key=value`.
  package static func text(_ event: LogEvent) -> String {
    let level = event.level.word
    // As wide as the longest level, so that the names stand below each other.
    let gap = String(repeating: " ", count: max(1, 6 - level.count))
    var parts = ["\(ISOTime.text(event.time)) \(level)\(gap)\(event.name)"]
    if !event.message.isEmpty { parts.append(escaped(event.message)) }
    let fields = event.fields.map { "\($0.key)=\(shown($0.value))" }
    if !fields.isEmpty { parts.append(fields.joined(separator: " ")) }
    return parts.joined(separator: "  ")
  }

  /// For log collectors: one JSON object with `time`, `level`, `event`, `message` if any, then the fields.
  ///
  /// A field that is called like one of those four is written with a `_` behind its name.
  package static func json(_ event: LogEvent) -> String {
    var members = [("time", quoted(ISOTime.text(event.time))), ("level", quoted(event.level.word)), ("event", quoted(event.name))]
    if !event.message.isEmpty { members.append(("message", quoted(event.message))) }
    let taken = ["time", "level", "event", "message"]
    for field in event.fields {
      members.append((taken.contains(field.key) ? field.key + "_" : field.key, value(field.value)))
    }
    return "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// The most scalars of a field's text that are shown: some are a client's, such as the name of a host.
  static let maxFieldLength = 256

  private static func value(_ value: LogValue) -> String {
    switch value {
    case .text(let text): quoted(shortened(text))
    case .integer(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    }
  }

  /// A value after `key=`: quoted where its end would not be clear.
  private static func shown(_ value: LogValue) -> String {
    guard case .text(let whole) = value else { return self.value(value) }
    let text = shortened(whole)
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && $0 != "\\" && !isUnsafe($0) }
    return text.isEmpty || !isPlain ? quoted(text) : text
  }

  private static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: maxFieldLength, limitedBy: scalars.endIndex), end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      append(scalar, to: &result)
    }
    return result + "\""
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    return result
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    guard isUnsafe(scalar) else {
      text.unicodeScalars.append(scalar)
      return
    }
    let digits = String(scalar.value, radix: 16)
    text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Whether a terminal or a collector could take it for more than a letter: controls, line ends, directions.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
