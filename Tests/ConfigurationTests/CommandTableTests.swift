import TestSupport
import Testing

@testable import Configuration

@Test func `the table holds each command once and the help names everything`() throws {
  expectEqual(CommandTable.commands.map(\.word), CommandWord.allCases, "each word once, in order")
  for command in CommandTable.commands {
    expect(CommandTable.overview.contains("  \(command.name) "), "the overview names \(command.name)")
    let text = CommandTable.explanation(of: command)
    for flag in command.flags + [CommandTable.help] { expect(text.contains(flag.name), "\(command.name) \(flag.name)") }
    for asked in [[command.name, "--help"], [command.name, "-h"], ["help", command.name]] {
      expectEqual(try CommandLineParser.parse(asked), .help(text), asked.joined(separator: " "))
    }
  }
  expectEqual(
    try CommandLineParser.parse(["serve", "--help", "--data", "d"]), .help(CommandTable.explanation(of: CommandTable.commands[0])),
    "help wins over the other flags")
}

@Test func `the help reads as a manual`() throws {
  let serve = """
    usage: parley serve [--config FILE] [--listen HOST:PORT]... [--data DIR] [--tls-certificate FILE] [--tls-key FILE]

    run the gateway

      --config FILE           a JSON5 file; every key has a default
      --listen HOST:PORT      where to listen; may be given more than once
      --data DIR              the data folder
      --tls-certificate FILE  speak TLS with this chain of certificates (PEM)
      --tls-key FILE          the key of the certificate (PEM)
      --help                  show this text

    """
  expectEqual(try CommandLineParser.parse(["help", "serve"]), .help(serve), "serve")
  let check = """
    usage: parley check-config [--print] [FILE]

    show every problem of a configuration

      --print  show the effective settings, secrets masked
      --help   show this text

    """
  expectEqual(try CommandLineParser.parse(["help", "check-config"]), .help(check), "check-config")
  let overview = """
    usage: parley COMMAND [FLAGS]

      serve         run the gateway
      token         sign a token with the configured secret
      check-config  show every problem of a configuration
      echo          run a bare WebSocket echo
      health        ask a gateway whether it is ready
      version       show the versions
      help          explain the program or a command

    parley COMMAND --help explains a command.

    """
  expectEqual(CommandTable.overview, overview, "the program")
}
