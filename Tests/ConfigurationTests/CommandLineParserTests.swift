import TestSupport
import Testing

@testable import Configuration

@Test func `each command line becomes its command`() {
  var app = TokenRequest(user: "ann")
  app.kind = .app
  app.role = "moderator"
  app.name = "Ann = A"
  app.lifetime = 43_200
  app.config = "c.json5"
  let cases: [(String, Command)] = [
    ("serve", .serve(config: nil, listen: [], data: nil, tls: TLSSettings())),
    (
      "serve --config a.json5 --listen 127.0.0.1:1 --listen=[::1]:2 --data=/d",
      .serve(config: "a.json5", listen: ["127.0.0.1:1", "[::1]:2"], data: "/d", tls: TLSSettings())
    ),
    ("serve --data -d", .serve(config: nil, listen: [], data: "-d", tls: TLSSettings())),
    (
      "serve --tls-certificate c.pem --tls-key=k.pem",
      .serve(config: nil, listen: [], data: nil, tls: TLSSettings(certificate: "c.pem", key: "k.pem"))
    ),
    ("serve --tls-key k.pem", .serve(config: nil, listen: [], data: nil, tls: TLSSettings(key: "k.pem"))),
    ("token --user ann", .token(TokenRequest(user: "ann"))),
    ("token --user=ann --type app --role moderator --name=Ann_=_A --ttl 12h --config c.json5", .token(app)),
    ("check-config", .checkConfig(file: nil, print: false)), ("check-config f --print", .checkConfig(file: "f", print: true)),
    ("check-config --print f", .checkConfig(file: "f", print: true)),
    ("check-config -- --print", .checkConfig(file: "--print", print: false)),
    ("echo", .echo(listen: [], loops: nil, tls: TLSSettings(), keepsContexts: false)),
    ("echo --listen localhost:0 --loops 2", .echo(listen: ["localhost:0"], loops: 2, tls: TLSSettings(), keepsContexts: false)),
    ("echo --context-takeover", .echo(listen: [], loops: nil, tls: TLSSettings(), keepsContexts: true)),
    (
      "echo --tls-certificate c.pem --tls-key k.pem",
      .echo(listen: [], loops: nil, tls: TLSSettings(certificate: "c.pem", key: "k.pem"), keepsContexts: false)
    ),
    ("health", .health(url: nil)), ("health --url http://127.0.0.1:1/readyz", .health(url: "http://127.0.0.1:1/readyz")),
    ("version", .version), ("--version", .version),
    ("help", .help(CommandTable.overview)), ("--help", .help(CommandTable.overview)), ("-h", .help(CommandTable.overview)),
  ]
  for (line, command) in cases {
    let arguments = line.split(separator: " ").map { $0.split(separator: "_").joined(separator: " ") }
    do throws(UsageError) {
      expectEqual(try CommandLineParser.parse(arguments), command, line)
    } catch {
      expect(false, "\(line): \(error)")
    }
  }
}

@Test func `what is not understood is refused with the nearest right word`() {
  let cases: [(String, String)] = [
    ("sevre", "unknown command \"sevre\"; did you mean serve?"), ("chat", "unknown command \"chat\"; see parley --help"),
    ("bench", "unknown command \"bench\"; see parley --help"), ("--verbose", "unknown command \"--verbose\"; see parley --help"),
    ("help sevre", "unknown command \"sevre\"; did you mean serve?"),
    ("serve --lisen a:1", "unknown flag \"--lisen\"; did you mean --listen?"),
    ("serve --hepl", "unknown flag \"--hepl\"; did you mean --help?"),
    ("serve -x", "unknown flag \"-x\"; see parley serve --help"), ("echo --data d", "unknown flag \"--data\"; see parley echo --help"),
    ("serve now", "unexpected argument \"now\"; see parley serve --help"),
    ("check-config a b", "unexpected argument \"b\"; see parley check-config --help"),
    ("serve --data", "--data needs a value; write --data DIR"), ("serve --data --config c", "--data needs a value; write --data DIR"),
    ("serve --data=", "--data needs a value; write --data DIR"), ("serve --data a --data b", "--data is given twice; give it once"),
    ("check-config --print=yes", "--print takes no value; write --print alone"),
    ("serve --listen 8080", "--listen \"8080\" is no address; write HOST:PORT, [IPv6]:PORT or unix:PATH"),
    ("echo --listen ::1:80", "--listen \"::1:80\" is no address; write HOST:PORT, [IPv6]:PORT or unix:PATH"),
    ("echo --loops 0", "--loops \"0\" is no number of loops; use a whole number from 1 to 256"),
    ("echo --loops two", "--loops \"two\" is no number of loops; use a whole number from 1 to 256"),
    ("echo --tls-key k", "--tls-certificate and --tls-key go together; give both or neither"),
    ("token", "--user is missing; write parley token --user ID"),
    ("token --user a --type admin", "--type \"admin\" is not known; use one of user, bot, app"),
    ("token --user a --ttl 1w", "--ttl \"1w\" is no time; write 90s, 15m, 12h or 1d, at most 3650d"),
  ]
  for (line, sentence) in cases {
    do throws(UsageError) {
      let command = try CommandLineParser.parse(line.split(separator: " ").map(String.init))
      expect(false, "\(line) became \(command)")
    } catch {
      expectEqual(error.description, sentence, line)
    }
  }
  do throws(UsageError) {
    let command = try CommandLineParser.parse([])
    expect(false, "nothing became \(command)")
  } catch {
    expectEqual(error.description, "no command is given\n\n\(CommandTable.overview)", "no command")
  }
}

@Test func `a time is a number with its unit`() {
  let cases: [(String, Int?)] = [
    ("1s", 1), ("90s", 90), ("15m", 900), ("12h", 43_200), ("1d", 86_400), ("3650d", 315_360_000), ("3651d", nil), ("0d", nil), ("d", nil),
    ("", nil), ("1", nil), ("-1d", nil), ("+1d", nil), ("1.5h", nil), ("9223372036854775807d", nil), ("99999999999999999999s", nil),
  ]
  for (text, seconds) in cases { expectEqual(CommandLineParser.seconds(in: text), seconds, text) }
}

@Test func `exit codes are those of the manual`() {
  expectEqual([ExitCode.success, .failure, .usage].map(\.rawValue), [0, 1, 2])
}
