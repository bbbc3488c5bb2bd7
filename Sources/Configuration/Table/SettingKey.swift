/// One key of the configuration: its name, its reason, what it accepts, and its place in `Settings`.
package struct SettingKey: Sendable {
  /// How the text of an environment variable becomes a value.
  enum Shape: Sendable {
    case flag, integer, text
    /// Items between commas, or a JSON5 list.
    case list
    /// A JSON5 object.
    case object
  }

  /// What is wrong with a value, and what would be right.
  struct Complaint: Equatable, Sendable {
    /// The place inside the key, as `[1]` or `.admin.send`.
    var place = ""
    /// What is wrong, as half a sentence.
    let wrong: String
    /// What would be right; nil where it is what the whole key accepts.
    var right: String?
  }

  /// The key with its sections, as `server.limits.maxBatch`.
  package let path: String
  /// What the key decides and why its default is what it is, as one sentence.
  package let reason: String
  /// What the key accepts, as an imperative half sentence.
  package let accepts: String
  /// Whether the value must never be shown.
  package let isSecret: Bool
  let shape: Shape
  /// Takes a value over, or says what is wrong with it.
  let store: @Sendable (ConfigurationValue, inout Settings) -> [Complaint]
  /// The value that settings hold.
  let show: @Sendable (Settings) -> ConfigurationValue

  /// The default as a value.
  package var defaultValue: ConfigurationValue { show(Settings()) }

  /// The environment variable: `PARLEY_`, sections and key in capitals, an underscore before each inner word.
  package var environmentName: String {
    var name = "PARLEY_"
    var last: Character = "."
    for (index, character) in zip(path.indices, path) {
      let next = path[path.index(after: index)...].first
      // In `maxJSONDepth` the words are `max`, `JSON` and `Depth`.
      let beginsWord = character.isUppercase && (last.isLowercase || last.isUppercase && next?.isLowercase == true)
      name += character == "." ? "_" : (beginsWord ? "_" : "") + character.uppercased()
      last = character
    }
    return name
  }
}

// MARK: - The kinds of keys

extension SettingKey {
  typealias Field<Value> = WritableKeyPath<Settings, Value> & Sendable

  /// A whole number in a range.
  ///
  /// - Parameter tooSmall: What is said of a lower one in place of our own sentence.
  static func integer(
    _ path: String, _ field: any Field<Int>, _ range: ClosedRange<Int>, _ unit: String, _ reason: String, tooSmall: String? = nil
  ) -> SettingKey {
    SettingKey(
      path: path, reason: reason,
      accepts: "use a whole number from \(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " (\(unit))")",
      isSecret: false, shape: .integer,
      store: { value, settings in
        guard case .integer(let number) = value else { return [.wrongKind(value)] }
        if let tooSmall, number < range.lowerBound { return [Complaint(wrong: tooSmall)] }
        guard range.contains(number) else { return [Complaint(wrong: "\(number) is too \(number < range.lowerBound ? "small" : "large")")] }
        settings[keyPath: field] = number
        return []
      },
      show: { .integer($0[keyPath: field]) })
  }

  /// True or false.
  static func flag(_ path: String, _ field: any Field<Bool>, _ reason: String) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use true or false", isSecret: false, shape: .flag,
      store: { value, settings in
        guard case .flag(let flag) = value else { return [.wrongKind(value)] }
        settings[keyPath: field] = flag
        return []
      },
      show: { .flag($0[keyPath: field]) })
  }

  /// True, false, or null where another rule decides.
  static func optionalFlag(_ path: String, _ field: any Field<Bool?>, _ reason: String) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use true, false or null", isSecret: false, shape: .flag,
      store: { value, settings in
        switch value {
        case .flag(let flag): settings[keyPath: field] = flag
        case .null: settings[keyPath: field] = nil
        case .integer, .number, .text, .list, .object: return [.wrongKind(value)]
        }
        return []
      },
      show: { $0[keyPath: field].map(ConfigurationValue.flag) ?? .null })
  }

  /// A text that passes a check.
  static func text(_ path: String, _ field: any Field<String>, _ check: TextCheck, _ reason: String) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use \(check.accepts)", isSecret: false, shape: .text,
      store: { value, settings in
        guard case .text(let text) = value else { return [.wrongKind(value)] }
        if let wrong = check.wrong(text) { return [Complaint(wrong: wrong)] }
        settings[keyPath: field] = text
        return []
      },
      show: { .text($0[keyPath: field]) })
  }

  /// A text that passes a check, or null.
  static func optionalText(
    _ path: String, _ field: any Field<String?>, _ check: TextCheck, isSecret: Bool = false, _ reason: String
  ) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use \(check.accepts), or null", isSecret: isSecret, shape: .text,
      store: { value, settings in
        switch value {
        case .text(let text):
          if let wrong = check.wrong(text) { return [Complaint(wrong: wrong)] }
          settings[keyPath: field] = text
        case .null: settings[keyPath: field] = nil
        case .flag, .integer, .number, .list, .object: return [.wrongKind(value)]
        }
        return []
      },
      show: { $0[keyPath: field].map(ConfigurationValue.text) ?? .null })
  }

  /// A list of different texts that each pass a check.
  static func texts(
    _ path: String, _ field: any Field<[String]>, _ check: TextCheck, mayBeEmpty: Bool = true, _ reason: String
  ) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use a list of \(check.accepts)", isSecret: false, shape: .list,
      store: { value, settings in
        switch items(of: value, mayBeEmpty: mayBeEmpty, check.wrong) {
        case .success(let texts): settings[keyPath: field] = texts
        case .failure(let complaints): return complaints.all
        }
        return []
      },
      show: { .list($0[keyPath: field].map(ConfigurationValue.text)) })
  }

  /// One of a closed list of words.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ path: String, _ field: any Field<Value>, _ reason: String
  ) -> SettingKey {
    let words = Value.allCases.map(\.rawValue)
    return SettingKey(
      path: path, reason: reason, accepts: "use one of \(words.joined(separator: ", "))", isSecret: false, shape: .text,
      store: { value, settings in
        guard case .text(let text) = value else { return [.wrongKind(value)] }
        guard let choice = Value(rawValue: text) else { return [.unknownWord(text, among: words)] }
        settings[keyPath: field] = choice
        return []
      },
      show: { .text($0[keyPath: field].rawValue) })
  }

  /// At least one of a closed list of words.
  static func choices<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ path: String, _ field: any Field<[Value]>, _ reason: String
  ) -> SettingKey {
    let words = Value.allCases.map(\.rawValue)
    return SettingKey(
      path: path, reason: reason, accepts: "use a list of \(words.joined(separator: ", "))", isSecret: false, shape: .list,
      store: { value, settings in
        let check = { (text: String) in words.contains(text) ? nil : Complaint.unknownWord(text, among: words).wrong }
        switch items(of: value, mayBeEmpty: false, check) {
        case .success(let texts): settings[keyPath: field] = texts.compactMap(Value.init(rawValue:))
        case .failure(let complaints): return complaints.all
        }
        return []
      },
      show: { .list($0[keyPath: field].map { .text($0.rawValue) }) })
  }
}

// MARK: - Shared checks

extension SettingKey {
  private struct Complaints: Error {
    let all: [Complaint]
  }

  /// The texts of a list, or what is wrong with each of its items.
  private static func items(
    of value: ConfigurationValue, mayBeEmpty: Bool, _ wrong: (String) -> String?
  ) -> Result<[String], Complaints> {
    guard case .list(let items) = value else { return .failure(Complaints(all: [.wrongKind(value)])) }
    if items.isEmpty, !mayBeEmpty { return .failure(Complaints(all: [Complaint(wrong: "is empty")])) }
    var texts: [String] = []
    var complaints: [Complaint] = []
    for (index, item) in items.enumerated() {
      let place = "[\(index)]"
      guard case .text(let text) = item else {
        complaints.append(.wrongKind(item, at: place))
        continue
      }
      if let wrong = wrong(text) {
        complaints.append(Complaint(place: place, wrong: wrong))
      } else if texts.contains(text) {
        complaints.append(Complaint(place: place, wrong: "\(quoted(text)) is there twice"))
      } else {
        texts.append(text)
      }
    }
    return complaints.isEmpty ? .success(texts) : .failure(Complaints(all: complaints))
  }

  /// A text as JSON5, so that it cannot break the line that shows it.
  static func quoted(_ text: String) -> String { ConfigurationValue.text(text).rendered() }
}

extension SettingKey.Complaint {
  /// The value is of another kind.
  static func wrongKind(_ value: ConfigurationValue, at place: String = "") -> Self {
    Self(place: place, wrong: "is \(value.kind)")
  }

  /// The text is no word of a closed list.
  static func unknownWord(_ text: String, among words: [String], at place: String = "") -> Self {
    let nearest = NearestName.of(text, among: words).map { " (did you mean \($0)?)" } ?? ""
    return Self(place: place, wrong: "\(SettingKey.quoted(text)) is not known\(nearest)")
  }
}
