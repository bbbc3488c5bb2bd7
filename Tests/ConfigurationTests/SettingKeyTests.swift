import TestSupport
import Testing

@testable import Configuration

/// The lines of every problem of a file, or none.
private func problems(_ text: String) -> [String] {
  switch SettingsReader.read(text: text) {
  case .success: return []
  case .failure(let problems): return problems.all.map(\.description)
  }
}

private let secret = "0123456789abcdef0123456789abcdef"

@Test func `each wrong value of the file has its line, its cause and its remedy`() {
  let tooLong = String(repeating: "n", count: 65)
  let cases: [(String, [String])] = [
    ("{}", []),
    ("{ server: { limits: { maxMessageBytes: 8192 } }, messages: { maxTextLength: 1365, }, }", []),
    (
      "{\n server: { limits: { maxBatch: 0 } } }",
      ["line 2: server.limits.maxBatch: 0 is too small; use a whole number from 1 to 1000 (entries)"]
    ),
    ("{ server: { loops: 257 } }", ["line 1: server.loops: 257 is too large; use a whole number from 0 to 256 (0: one per processor)"]),
    ("{ chat: { typingTimeout: 6 } }", ["line 1: chat.typingTimeout: 6 is too large; use a whole number from 1 to 5 (seconds)"]),
    ("{ chat: { typingTimeout: '5' } }", ["line 1: chat.typingTimeout: is a text; use a whole number from 1 to 5 (seconds)"]),
    (
      "{ chat: { typingTimeout: 2.5 } }",
      ["line 1: chat.typingTimeout: is a number with a fraction or beyond 64 bits; use a whole number from 1 to 5 (seconds)"]
    ),
    (
      "{ chat: { storeUserActivityInterval: 59 } }",
      [
        "line 1: chat.storeUserActivityInterval: storeUserActivityInterval must be at least 60000ms; "
          + "use a whole number from 60 to 86400 (seconds)"
      ]
    ),
    (
      "{ chat: { storeUserActivityInterval: 86401 } }",
      ["line 1: chat.storeUserActivityInterval: 86401 is too large; use a whole number from 60 to 86400 (seconds)"]
    ),
    ("{ chat: { storeUserActivityInterval: 60 } }", []),
    ("{ sync: { users: 1 } }", ["line 1: sync.users: is a number; use true or false"]),
    ("{ auth: { guests: 'yes' } }", ["line 1: auth.guests: is a text; use true, false or null"]),
    ("{ server: { name: null } }", ["line 1: server.name: is null; use 1 to 64 printable characters"]),
    (
      "{ server: { name: '\(tooLong)' } }",
      ["line 1: server.name: is empty, too long or not printable; use 1 to 64 printable characters"]
    ),
    ("{ auth: { issuer: '' } }", ["line 1: auth.issuer: is empty; use the issuer's name, or null"]),
    ("{ auth: { jwks: [] } }", ["line 1: auth.jwks: is a list; use the path of a JWKS file, or null"]),
    ("{ auth: { secret: 'short-and-private' } }", ["line 1: auth.secret: is 17 bytes long; use at least 32 bytes of random text, or null"]),
    ("{ auth: { secret: {} } }", ["line 1: auth.secret: is an object; use at least 32 bytes of random text, or null"]),
    ("{ auth: { secret: '\(secret)', issuer: null, guests: null } }", []),
    // Sixteen letters of two bytes are thirty-two bytes.
    ("{ auth: { secret: 'ääääääääääääääää' } }", []),
    (
      "{ log: { level: 'verbose', format: 'jsn' } }",
      [
        "line 1: log.level: \"verbose\" is not known; use one of error, warn, info, debug",
        "line 1: log.format: \"jsn\" is not known (did you mean json?); use one of auto, text, json",
      ]
    ),
    ("{ log: { level: true } }", ["line 1: log.level: is true or false; use one of error, warn, info, debug"]),
    ("{ server: { listen: [] } }", ["line 1: server.listen: is empty; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH"]),
    (
      "{ server: { listen: ['localhost:1', 'localhost', 7, 'localhost:1'] } }",
      [
        "line 1: server.listen[1]: \"localhost\" is no address to listen on; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH",
        "line 1: server.listen[2]: is a number; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH",
        "line 1: server.listen[3]: \"localhost:1\" is there twice; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH",
      ]
    ),
    ("{ server: { listen: 'localhost:1' } }", ["line 1: server.listen: is a text; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH"]),
    (
      "{ server: { proxies: ['10.0.0.0/33'] } }",
      [
        "line 1: server.proxies[0]: \"10.0.0.0/33\" is no address, no network and not unix; "
          + "use a list of IP addresses, networks such as 10.0.0.0/8, or unix"
      ]
    ),
    ("{ server: { proxies: ['unix', '10.0.0.0/8', '::1'], limits: { connections: 9 } }, auth: { guests: true } }", []),
    (
      "{ metrics: { allow: ['unix'] } }",
      ["line 1: metrics.allow[0]: \"unix\" is no address or network; use a list of IP addresses or networks such as 10.0.0.0/8"]
    ),
    (
      "{ server: { origins: ['*', 'https://a.example/'] } }",
      [
        "line 1: server.origins[0]: \"*\" is no web origin; use a list of origins such as https://chat.example, in lower case and without a path",
        "line 1: server.origins[1]: \"https://a.example/\" is no web origin; "
          + "use a list of origins such as https://chat.example, in lower case and without a path",
      ]
    ),
    ("{ auth: { algorithms: ['none'] } }", ["line 1: auth.algorithms[0]: \"none\" is not known; use a list of HS256, RS256, ES256"]),
    ("{ auth: { algorithms: [] } }", ["line 1: auth.algorithms: is empty; use a list of HS256, RS256, ES256"]),
    ("{ auth: { algorithms: ['ES256'] } }", []),
    (
      "{ metrics: { listen: 'unix:', allow: ['::1', '10.0.0.0/8'] } }",
      ["line 1: metrics.listen: \"unix:\" is no address to listen on; use HOST:PORT, [IPv6]:PORT or unix:PATH, or null"]
    ),
  ]
  for (text, expected) in cases { expectEqual(problems(text), expected, text) }
}
