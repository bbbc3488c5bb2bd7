/// Turns a file, the environment and the flags into settings, or into every problem at once.
///
/// Later sources win: file, environment, flags.
package struct SettingsReader {
  /// A value that a flag of the command line sets.
  package struct Override: Sendable, Equatable {
    /// The flag, as `--listen`.
    package let flag: String
    /// The key that it sets.
    package let path: String
    /// The value.
    package let value: ConfigurationValue

    /// `--listen`, once or more.
    package static func listen(_ addresses: [String]) -> Override {
      Override(flag: "--listen", path: "server.listen", value: .list(addresses.map(ConfigurationValue.text)))
    }

    /// `--data`.
    package static func data(_ folder: String) -> Override {
      Override(flag: "--data", path: "store.data", value: .text(folder))
    }

    /// `--tls-certificate` and `--tls-key`, as far as they are given.
    package static func tls(_ files: TLSSettings) -> [Override] {
      let certificate = files.certificate.map {
        Override(flag: "--tls-certificate", path: "server.tls.certificate", value: .text($0))
      }
      let key = files.key.map { Override(flag: "--tls-key", path: "server.tls.key", value: .text($0)) }
      return [certificate, key].compactMap { $0 }
    }
  }

  private var settings = Settings()
  private var problems: [ConfigurationProblem] = []

  /// Reads all sources and then asks `rules`.
  ///
  /// - Parameters:
  ///   - text: The file's content; nil where there is no file.
  ///   - environment: Every variable; those that do not start with `PARLEY_` are left alone.
  ///   - overrides: What the flags say.
  ///   - rules: What must hold between keys; a rule is left out where a key that it reads has a problem itself.
  ///   - readFile: The content of a file that a `…_FILE` variable names, or nil.
  package static func read(
    text: String?, environment: [String: String] = [:], overrides: [Override] = [], rules: [StartRule] = StartRule.serving,
    readFile: (String) -> String? = { _ in nil }
  ) -> Result<Settings, ConfigurationProblems> {
    var reader = SettingsReader()
    if let text { reader.readFile(text) }
    reader.readEnvironment(environment, readFile)
    for override in overrides { reader.store(override.value, at: override.path, from: .flag(override.flag)) }
    reader.ask(rules)
    let (settings, problems) = (reader.settings, reader.problems)
    return problems.isEmpty ? .success(settings) : .failure(ConfigurationProblems(problems, settings: settings))
  }

  private mutating func report(_ source: ConfigurationProblem.Source, _ path: String, _ wrong: String, _ right: String) {
    problems.append(ConfigurationProblem(source, path, wrong, right))
  }

  private mutating func store(_ value: ConfigurationValue, at path: String, from source: ConfigurationProblem.Source) {
    guard let key = SettingTable.key(at: path) else { return }
    for complaint in key.store(value, &settings) {
      report(source, path + complaint.place, complaint.wrong, complaint.right ?? key.accepts)
    }
  }

  private mutating func ask(_ rules: [StartRule]) {
    let wrongPaths = problems.map(\.path)
    problems += rules.filter { rule in !wrongPaths.contains { rule.isBlinded(by: $0) } }.flatMap { $0.check(settings) }
  }
}

// MARK: - The file

extension SettingsReader {
  private mutating func readFile(_ text: String) {
    let root: ConfigurationValue
    do {
      root = try ConfigurationValue.parse(text)
    } catch {
      report(.file(line: error.line), "", "is not JSON5", error.advice)
      return
    }
    guard case .object(let members) = root else {
      report(.file(line: 1), "", "is \(root.kind)", "write one object: { server: { … }, auth: { … } }")
      return
    }
    let outline = JSON5Outline(of: text)
    let first = problems.count
    for duplicate in outline.duplicates {
      report(.file(line: duplicate.line), duplicate.path, "is there twice", "remove one")
    }
    walk(members, in: "")
    takePlaces(of: outline, from: first)
  }

  private mutating func walk(_ members: [ConfigurationValue.Member], in section: String) {
    for member in members {
      let path = section.isEmpty ? member.name : "\(section).\(member.name)"
      let names = SettingTable.names(in: path)
      if member.name.isEmpty || member.name.contains(".") {
        report(.file(line: nil), path, "is not a known key", "write each section as an object, as { server: { limits: { … } } }")
      } else if SettingTable.key(at: path) != nil {
        store(member.value, at: path, from: .file(line: nil))
      } else if names.isEmpty {
        report(.file(line: nil), path, "is not a known key", Self.advice(for: member.name, in: section))
      } else if case .object(let inner) = member.value {
        walk(inner, in: path)
      } else {
        report(.file(line: nil), path, "is \(member.value.kind)", "use an object with \(names.joined(separator: ", "))")
      }
    }
  }

  /// The key that was meant: one of the same section, or one of that name elsewhere.
  private static func advice(for name: String, in section: String) -> String {
    let siblings = SettingTable.names(in: section)
    if let meant = SettingTable.path(endingIn: name) ?? NearestName.of(name, among: siblings) { return "did you mean \(meant)?" }
    return "the keys here are \(siblings.joined(separator: ", "))"
  }

  /// Gives the file's problems their lines and puts them into the order of the text: the decoder keeps neither.
  private mutating func takePlaces(of outline: JSON5Outline, from first: Int) {
    let placed = problems[first...].enumerated().map { index, problem in
      let key = problem.path.prefix { $0 != "[" }
      let place = outline.places[problem.path] ?? outline.places[String(key)]
      var source = problem.source
      if case .file(nil) = source { source = .file(line: place?.line) }
      let moved = ConfigurationProblem(source, problem.path, problem.wrong, problem.right)
      return (problem: moved, order: place?.order ?? -1, index: index)
    }
    problems[first...] = placed.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map(\.problem)[...]
  }
}

// MARK: - The environment

extension SettingsReader {
  /// Whether Kubernetes or a Docker link set a variable, which they do for every service, also for one called `parley` or `parley-web`.
  static func isSetByOrchestrator(_ name: String, _ text: String) -> Bool {
    if name.contains("_SERVICE_HOST") || name.contains("_SERVICE_PORT") { return true }
    if name.hasSuffix("_PORT") { return text.contains("://") }
    let words = name.split(separator: "_")
    // PARLEY_PORT_8080_TCP and what begins like it.
    return zip(words, words.dropFirst()).contains { $0 == "PORT" && $1.allSatisfy(\.isNumber) }
  }

  private mutating func readEnvironment(_ environment: [String: String], _ readFile: (String) -> String?) {
    var setBy: [String: String] = [:]
    // An empty variable is one that is not set: container files write them for what they do not know.
    for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PARLEY_") && !text.isEmpty {
      if Self.isSetByOrchestrator(name, text) { continue }
      let isFile = Self.path(of: name) == nil && name.hasSuffix("_FILE")
      let plainName = isFile ? String(name.dropLast("_FILE".count)) : name
      guard let path = Self.path(of: plainName), let key = SettingTable.key(at: path) else {
        report(.environment(name), "", "is not a known variable", Self.adviceForVariable(plainName, suffix: isFile ? "_FILE" : ""))
        continue
      }
      if let other = setBy.updateValue(name, forKey: path) {
        report(.environment(name), path, "is set by \(other) too", "keep one of them")
        continue
      }
      if !isFile {
        store(ConfigurationValue(text, as: key.shape), at: path, from: .environment(name))
      } else if let content = readFile(text) {
        store(ConfigurationValue(Self.withoutLastNewline(content), as: key.shape), at: path, from: .environment(name))
      } else {
        let advice = "name a readable file; a reload reads regular files only"
        report(.environment(name), path, "names the file \(SettingKey.quoted(text)), which cannot be read", advice)
      }
    }
  }

  private static func path(of variable: String) -> String? {
    SettingTable.environmentAliases[variable] ?? SettingTable.keys.first { $0.environmentName == variable }?.path
  }

  private static func adviceForVariable(_ name: String, suffix: String) -> String {
    let names = SettingTable.keys.map(\.environmentName) + SettingTable.environmentAliases.keys.sorted()
    guard let nearest = NearestName.of(name, among: names) else {
      return "variables are PARLEY_ and the key, as PARLEY_SERVER_LIMITS_MAX_BATCH for server.limits.maxBatch"
    }
    return "did you mean \(nearest)\(suffix)?"
  }

  /// Editors and `echo` end a file with a newline that is no part of a secret.
  private static func withoutLastNewline(_ text: String) -> String {
    // "\r\n" is one Character.
    guard let last = text.last, last.isNewline else { return text }
    return String(text.dropLast())
  }
}

extension ConfigurationValue {
  /// Reads the text of an environment variable; what does not fit the shape stays text, for the key to complain about.
  init(_ text: String, as shape: SettingKey.Shape) {
    switch shape {
    case .flag: self = Bool(text).map(ConfigurationValue.flag) ?? .text(text)
    case .integer: self = Int(text).map(ConfigurationValue.integer) ?? .text(text)
    case .text: self = .text(text)
    case .list:
      if text.hasPrefix("["), let list = try? ConfigurationValue.parse(text), case .list = list {
        self = list
      } else {
        let items = text.split(separator: ",").map { Self.trimmed($0) }.filter { !$0.isEmpty }
        self = .list(items.map(ConfigurationValue.text))
      }
    case .object: self = (try? ConfigurationValue.parse(text)) ?? .text(text)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}
