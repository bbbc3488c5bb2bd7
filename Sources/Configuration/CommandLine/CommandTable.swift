/// A flag of a command.
struct FlagDeclaration: Sendable, Equatable {
  /// The flag with its dashes.
  let name: String
  /// What its value is called in the help; nil: it takes none.
  let value: String?
  /// Whether it may be given more than once.
  var repeats = false
  /// Whether the command cannot do without it.
  var isRequired = false
  /// What it does.
  let summary: String
}

/// The word of a command.
enum CommandWord: String, Sendable, CaseIterable {
  case serve, token
  case checkConfig = "check-config"
  case echo, health, version, help
}

/// A command with everything that it accepts.
struct CommandDeclaration: Sendable, Equatable {
  /// The word.
  let word: CommandWord
  /// What it does, as half a sentence.
  let summary: String
  /// What its one argument without a flag is called; nil: it takes none.
  var argument: String?
  /// Its flags.
  var flags: [FlagDeclaration] = []

  /// The word as it is typed.
  var name: String { word.rawValue }
}

/// Every command, in the order of the help.
enum CommandTable {
  /// Every command once.
  static let commands: [CommandDeclaration] = [
    CommandDeclaration(word: .serve, summary: "run the gateway", flags: [config, listen, data] + tls),
    CommandDeclaration(word: .token, summary: "sign a token with the configured secret", flags: token + [config]),
    CommandDeclaration(
      word: .checkConfig, summary: "show every problem of a configuration", argument: "FILE",
      flags: [FlagDeclaration(name: "--print", value: nil, summary: "show the effective settings, secrets masked")]),
    CommandDeclaration(word: .echo, summary: "run a bare WebSocket echo", flags: [listen, loops, takeover] + tls),
    CommandDeclaration(
      word: .health, summary: "ask a gateway whether it is ready",
      flags: [FlagDeclaration(name: "--url", value: "URL", summary: "where to ask; else the configured address")]),
    CommandDeclaration(word: .version, summary: "show the versions"),
    CommandDeclaration(word: .help, summary: "explain the program or a command", argument: "COMMAND"),
  ]

  /// The flag that every command takes.
  static let help = FlagDeclaration(name: "--help", value: nil, summary: "show this text")

  private static let config = FlagDeclaration(name: "--config", value: "FILE", summary: "a JSON5 file; every key has a default")
  private static let listen = FlagDeclaration(
    name: "--listen", value: "HOST:PORT", repeats: true, summary: "where to listen; may be given more than once")
  private static let loops = FlagDeclaration(
    name: "--loops", value: "N", summary: "how many event loops, 1 to 256; one by default")
  private static let takeover = FlagDeclaration(
    name: "--context-takeover", value: nil, summary: "let compressed messages refer to those before them")
  private static let data = FlagDeclaration(name: "--data", value: "DIR", summary: "the data folder")

  private static let tls = [
    FlagDeclaration(name: "--tls-certificate", value: "FILE", summary: "speak TLS with this chain of certificates (PEM)"),
    FlagDeclaration(name: "--tls-key", value: "FILE", summary: "the key of the certificate (PEM)"),
  ]

  private static let token: [FlagDeclaration] = [
    FlagDeclaration(name: "--user", value: "ID", isRequired: true, summary: "whose token it is"),
    FlagDeclaration(name: "--type", value: "TYPE", summary: "user (default), bot or app (a trusted backend)"),
    FlagDeclaration(name: "--role", value: "ROLE", summary: "a role of the configuration"),
    FlagDeclaration(name: "--name", value: "NAME", summary: "the user's name on first sight"),
    FlagDeclaration(name: "--ttl", value: "TIME", summary: "how long it is valid: 90s, 15m, 12h or 1d (default)"),
  ]
}

// MARK: - Help

extension CommandTable {
  /// The help of the program.
  static var overview: String {
    let rows = commands.map { ($0.name, $0.summary) }
    return "usage: parley COMMAND [FLAGS]\n\n" + table(rows) + "\nparley COMMAND --help explains a command.\n"
  }

  /// The help of a command.
  static func explanation(of command: CommandDeclaration) -> String {
    var usage = "usage: parley \(command.name)"
    for flag in command.flags {
      let text = flag.value.map { "\(flag.name) \($0)" } ?? flag.name
      usage += flag.isRequired ? " \(text)" : flag.repeats ? " [\(text)]..." : " [\(text)]"
    }
    if let argument = command.argument { usage += " [\(argument)]" }
    let rows = (command.flags + [help]).map { flag in (flag.value.map { "\(flag.name) \($0)" } ?? flag.name, flag.summary) }
    return "\(usage)\n\n\(command.summary)\n\n" + table(rows)
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)\n" }.joined()
  }
}
