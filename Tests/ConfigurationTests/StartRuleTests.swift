import TestSupport
import Testing

@testable import Configuration

private let secret = "0123456789abcdef0123456789abcdef"

@Test func `guests get in by default only where nobody else can reach the gateway`() {
  let cases: [([String], [String], Bool?, Bool)] = [
    (["127.0.0.1:8080"], [], nil, true), (["[::1]:8080", "localhost:1", "127.9.9.9:2"], [], nil, true),
    (["127.0.0.1:8080", "0.0.0.0:8080"], [], nil, false), (["192.168.0.1:8080"], [], nil, false), (["[::]:8080"], [], nil, false),
    (["127.0.0.1:8080"], ["127.0.0.1"], nil, false), (["unix:/run/parley"], [], nil, false),
    (["unix:/run/parley", "127.0.0.1:1"], [], nil, true), (["nonsense"], [], nil, false),
    (["0.0.0.0:8080"], ["10.0.0.1"], true, true), (["127.0.0.1:8080"], [], false, false),
  ]
  for (listen, proxies, guests, expected) in cases {
    var settings = Settings()
    settings.server.listen = listen
    settings.server.proxies = proxies
    settings.auth.guests = guests
    expectEqual(StartRule.letsGuestsIn(settings), expected, "\(listen) \(proxies) \(String(describing: guests))")
  }
}

@Test func `each rule refuses with a sentence that says what to do`() {
  let nobody =
    "auth: nobody could log in, because no key is set and guests are off (the default where more than this machine can connect); "
    + "set auth.secret (PARLEY_AUTH_SECRET, at least 32 bytes), auth.publicKeys or auth.jwks, "
    + "or let everybody in with auth.guests: true (PARLEY_AUTH_GUESTS=true)"
  let cases: [(String, [StartRule], [String])] = [
    ("{}", StartRule.serving, []),
    ("{ auth: { guests: false } }", StartRule.serving, [nobody]),
    ("{ server: { listen: ['0.0.0.0:80'] } }", StartRule.serving, [nobody]),
    ("{ server: { listen: ['0.0.0.0:80'] }, auth: { guests: true } }", StartRule.serving, []),
    ("{ server: { listen: ['0.0.0.0:80'] }, auth: { secret: '\(secret)' } }", StartRule.serving, []),
    ("{ server: { listen: ['0.0.0.0:80'] }, auth: { publicKeys: ['k.pem'] } }", StartRule.serving, []),
    ("{ server: { proxies: ['10.0.0.1'] }, auth: { jwks: 'jwks.json' } }", StartRule.serving, []),
    (
      "{ auth: { secret: '\(secret)', algorithms: ['RS256'] } }", StartRule.serving,
      ["auth.algorithms: refuses HS256, though auth.secret is set; add HS256 or remove the secret"]
    ),
    (
      "{ auth: { jwks: 'j', algorithms: ['HS256'] } }", StartRule.serving,
      ["auth.algorithms: refuses RS256 and ES256, though public keys are set; add one of them or remove the keys"]
    ),
    ("{ server: { tls: { certificate: 'c', key: 'k' } } }", StartRule.serving, []),
    (
      "{ server: { tls: { certificate: 'c' } } }", StartRule.serving,
      ["server.tls.key: is not set, though server.tls.certificate is; set both, or neither where no TLS is spoken"]
    ),
    (
      "{ server: { tls: { key: 'k' } } }", StartRule.serving,
      ["server.tls.certificate: is not set, though server.tls.key is; set both, or neither where no TLS is spoken"]
    ),
    (
      "{ messages: { maxTextLength: 21846 } }", StartRule.serving,
      [
        "messages.maxTextLength: 21846 characters can take 131076 bytes, more than server.limits.maxMessageBytes; "
          + "use at most 21845, or raise the other"
      ]
    ),
    (
      "{ messages: { pages: { messages: { max: 9 }, participants: { default: 51 }, conversations: { initial: 31 } } } }", StartRule.serving,
      [
        "messages.pages.messages.initial: 10 is more than messages.pages.messages.max; use at most 9",
        "messages.pages.messages.default: 30 is more than messages.pages.messages.max; use at most 9",
        "messages.pages.participants.default: 51 is more than messages.pages.participants.max; use at most 50",
        "messages.pages.conversations.initial: 31 is more than messages.pages.conversations.max; use at most 30",
      ]
    ),
    (
      "{}", StartRule.signingTokens,
      ["auth.secret: is not set, and tokens are signed with it; set it in the file or as PARLEY_AUTH_SECRET, at least 32 bytes"]
    ),
    ("{ auth: { secret: '\(secret)' } }", StartRule.signingTokens, []),
  ]
  for (text, rules, expected) in cases {
    switch SettingsReader.read(text: text, rules: rules) {
    case .success: expectEqual([], expected, text)
    case .failure(let problems): expectEqual(problems.all.map(\.description), expected, text)
    }
  }
}

@Test func `a rule is not asked where a problem stands in what it reads`() {
  let rule = StartRule(reads: ["auth", "server.listen"]) { _ in [] }
  let cases = [
    ("auth", true), ("auth.secret", true), ("server.listen", true), ("server.listen[0]", true), ("server", true), ("", true),
    ("server.loops", false), ("authority", false), ("sync.users", false),
  ]
  for (path, isBlinded) in cases { expectEqual(rule.isBlinded(by: path), isBlinded, path) }
}
