import TestSupport
import Testing

@testable import Configuration

private let secret = "0123456789abcdef0123456789abcdef"

@Test func `settings that an operator may regret are warned of`() {
  let cases: [(String, [StartWarning])] = [
    ("{}", []),
    ("{ server: { listen: ['0.0.0.0:1'] }, auth: { secret: '\(secret)' } }", [.clientsMayWrite]),
    ("{ server: { listen: ['0.0.0.0:1'] }, auth: { secret: '\(secret)' }, sync: { users: false } }", [.clientsMayWrite]),
    ("{ server: { listen: ['0.0.0.0:1'] }, auth: { secret: '\(secret)' }, sync: { users: false, conversations: false } }", []),
    ("{ server: { listen: ['127.0.0.1:1', 'unix:/s'] }, auth: { secret: '\(secret)' } }", []),
    ("{ server: { listen: ['[::]:1'] }, auth: { guests: true } }", [.guestsFromOutside]),
    ("{ auth: { guests: true } }", []),
    ("{ server: { heartbeatMs: 54999 } }", []), ("{ server: { heartbeatMs: 55000 } }", [.slowHeartbeat]),
  ]
  for (text, expected) in cases {
    let settings = try? SettingsReader.read(text: text).get()
    expectEqual(settings.map(StartWarning.warnings), expected, text)
  }
  var odd = Settings()
  odd.server.listen = ["nonsense"]
  odd.auth.guests = true
  expectEqual(StartWarning.warnings(for: odd), [.guestsFromOutside], "what cannot be read counts as reachable")

  expectEqual(
    StartWarning.allCases.map(\.sentence),
    [
      "clients may change conversations, participants or their own user record; "
        + "where a backend does that, set sync.conversations and sync.users to false",
      "auth.guests is on and other machines can connect: anybody who reaches this address gets in",
      "server.heartbeatMs is 55 s or more, and many proxies cut a connection that is quiet for 60 s; use less",
    ], "sentences")
}
