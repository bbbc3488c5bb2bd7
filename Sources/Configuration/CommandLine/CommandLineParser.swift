/// Reads the arguments of the program by `CommandTable`.
package enum CommandLineParser {
  /// The command that arguments, without the program's own name, ask for.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Command {
    guard let word = arguments.first else { throw UsageError(description: "no command is given\n\n" + CommandTable.overview) }
    switch word {
    case "--help", "-h": return .help(CommandTable.overview)
    case "--version": return .version
    default: break
    }
    guard let command = CommandTable.commands.first(where: { $0.name == word }) else {
      throw unknown("command", word, among: CommandTable.commands.map(\.name), helpOf: nil)
    }
    let given = try values(of: command, in: arguments.dropFirst())
    return given.wantsHelp ? .help(CommandTable.explanation(of: command)) : try make(command, given)
  }

  /// What was given to a command.
  private struct Values {
    var wantsHelp = false
    var argument: String?
    var flags: [String: [String]] = [:]

    /// The value of a flag that is given once.
    func one(_ flag: String) -> String? { flags[flag]?.first }
  }

  private static func unknown(_ what: String, _ name: String, among names: [String], helpOf command: String?) -> UsageError {
    let nearest = NearestName.of(name, among: names).map { "did you mean \($0)?" } ?? "see parley \(command.map { "\($0) " } ?? "")--help"
    return UsageError(description: "unknown \(what) \(SettingKey.quoted(name)); \(nearest)")
  }
}

// MARK: - Splitting

extension CommandLineParser {
  private static func values(of command: CommandDeclaration, in arguments: ArraySlice<String>) throws(UsageError) -> Values {
    var values = Values()
    var rest = arguments
    var areFlagsOver = false
    while let word = rest.popFirst() {
      if !areFlagsOver, word == "--" {
        areFlagsOver = true
      } else if !areFlagsOver, word == "--help" || word == "-h" {
        values.wantsHelp = true
      } else if !areFlagsOver, word.hasPrefix("-"), word.count > 1 {
        try takeFlag(word, of: command, &rest, &values)
      } else if command.argument != nil, values.argument == nil {
        values.argument = word
      } else {
        throw UsageError(description: "unexpected argument \(SettingKey.quoted(word)); see parley \(command.name) --help")
      }
    }
    return values
  }

  private static func takeFlag(
    _ word: String, of command: CommandDeclaration, _ rest: inout ArraySlice<String>, _ values: inout Values
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? word
    guard let flag = command.flags.first(where: { $0.name == name }) else {
      throw unknown("flag", name, among: (command.flags + [CommandTable.help]).map(\.name), helpOf: command.name)
    }
    if values.flags[name] != nil, !flag.repeats { throw UsageError(description: "\(name) is given twice; give it once") }
    guard let valueName = flag.value else {
      if parts.count > 1 { throw UsageError(description: "\(name) takes no value; write \(name) alone") }
      values.flags[name] = [""]
      return
    }
    // A flag never swallows the next one; a value that starts with two dashes is written after "=".
    let next = parts.count > 1 ? parts[1] : rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
    if parts.count == 1, next != nil { rest.removeFirst() }
    guard let next, !next.isEmpty else { throw UsageError(description: "\(name) needs a value; write \(name) \(valueName)") }
    values.flags[name, default: []].append(next)
  }
}

// MARK: - Making the command

extension CommandLineParser {
  private static func make(_ command: CommandDeclaration, _ given: Values) throws(UsageError) -> Command {
    for flag in command.flags where flag.isRequired && given.flags[flag.name] == nil {
      throw UsageError(description: "\(flag.name) is missing; write parley \(command.name) \(flag.name) \(flag.value ?? "")")
    }
    switch command.word {
    case .serve: return .serve(config: given.one("--config"), listen: try listen(given), data: given.one("--data"), tls: tls(given))
    case .token: return .token(try token(given))
    case .checkConfig: return .checkConfig(file: given.argument, print: given.flags["--print"] != nil)
    case .echo:
      return .echo(
        listen: try listen(given), loops: try loops(given), tls: try wholeTLS(given),
        keepsContexts: given.flags["--context-takeover"] != nil)
    case .health: return .health(url: given.one("--url"))
    case .version: return .version
    case .help: return .help(try help(on: given.argument))
    }
  }

  private static func listen(_ given: Values) throws(UsageError) -> [String] {
    let addresses = given.flags["--listen"] ?? []
    for address in addresses where ListenAddress(address) == nil {
      throw UsageError(description: "--listen \(SettingKey.quoted(address)) is no address; write \(TextCheck.listenAddress.accepts)")
    }
    return addresses
  }

  private static func tls(_ given: Values) -> TLSSettings {
    TLSSettings(certificate: given.one("--tls-certificate"), key: given.one("--tls-key"))
  }

  /// For a command without a configuration, where the other one might stand.
  private static func wholeTLS(_ given: Values) throws(UsageError) -> TLSSettings {
    let files = tls(given)
    if files.isHalf { throw UsageError(description: "--tls-certificate and --tls-key go together; give both or neither") }
    return files
  }

  private static func loops(_ given: Values) throws(UsageError) -> Int? {
    guard let text = given.one("--loops") else { return nil }
    guard let count = Int(text), (1...256).contains(count) else {
      throw UsageError(description: "--loops \(SettingKey.quoted(text)) is no number of loops; use a whole number from 1 to 256")
    }
    return count
  }

  private static func token(_ given: Values) throws(UsageError) -> TokenRequest {
    var request = TokenRequest(user: given.one("--user") ?? "")
    if let word = given.one("--type") {
      let words = TokenRequest.Kind.allCases.map(\.rawValue)
      guard let kind = TokenRequest.Kind(rawValue: word) else {
        throw UsageError(description: "--type \(SettingKey.quoted(word)) is not known; use one of \(words.joined(separator: ", "))")
      }
      request.kind = kind
    }
    if let text = given.one("--ttl") {
      guard let seconds = seconds(in: text) else {
        throw UsageError(description: "--ttl \(SettingKey.quoted(text)) is no time; write 90s, 15m, 12h or 1d, at most 3650d")
      }
      request.lifetime = seconds
    }
    request.role = given.one("--role")
    request.name = given.one("--name")
    request.config = given.one("--config")
    return request
  }

  /// Seconds of a time such as `12h`, from 1 s to ten years; nil for anything else.
  static func seconds(in text: String) -> Int? {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
    let digits = text.dropLast()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(digits) else { return nil }
    let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
    return !overflows && (1...3_650 * 86_400).contains(seconds) ? seconds : nil
  }

  private static func help(on word: String?) throws(UsageError) -> String {
    guard let word else { return CommandTable.overview }
    guard let command = CommandTable.commands.first(where: { $0.name == word }) else {
      throw unknown("command", word, among: CommandTable.commands.map(\.name), helpOf: nil)
    }
    return CommandTable.explanation(of: command)
  }
}
