import TestSupport
import Testing

@testable import Configuration

/// The lines of every problem, or none.
private func problems(
  _ text: String?, _ environment: [String: String] = [:], _ overrides: [SettingsReader.Override] = [],
  rules: [StartRule] = StartRule.serving, files: [String: String] = [:]
) -> [String] {
  switch SettingsReader.read(text: text, environment: environment, overrides: overrides, rules: rules, readFile: { files[$0] }) {
  case .success: return []
  case .failure(let problems): return problems.description.split(separator: "\n").map(String.init)
  }
}

private let secret = "0123456789abcdef0123456789abcdef"

@Test func `unknown, repeated and misplaced keys are refused, in the order of the lines`() {
  let cases: [(String, [String])] = [
    ("", ["line 1: is not JSON5; close what is open; the text ends too early"]),
    ("[]", ["line 1: is a list; write one object: { server: { … }, auth: { … } }"]),
    ("{ sever: {} }", ["line 1: sever: is not a known key; did you mean server?"]),
    (
      "{ server: { limits: { maxMesageBytes: 1 } } }",
      ["line 1: server.limits.maxMesageBytes: is not a known key; did you mean maxMessageBytes?"]
    ),
    ("{ server: { maxBatch: 1 } }", ["line 1: server.maxBatch: is not a known key; did you mean server.limits.maxBatch?"]),
    ("{ limits: {} }", ["line 1: limits: is not a known key; did you mean server.limits?"]),
    ("{ sync: { frobnicate: 1 } }", ["line 1: sync.frobnicate: is not a known key; the keys here are conversations, users"]),
    (
      "{ moderation: {} }",
      [
        "line 1: moderation: is not a known key; the keys here are server, auth, roles, sync, chat, presence, messages, files, store, log, metrics"
      ]
    ),
    (
      "{ chat: { rateLimits: 2 } }",
      [
        "line 1: chat.rateLimits: is not a known key; the keys here are typingTimeout, storeUserActivityTimestamps, "
          + "storeUserActivityInterval, rateLimitPerChannel, rateLimitFactor, rateLimitMaxQueued, rateLimitMaxDelay, syncMutedUsers, emitReadReceiptEvents"
      ]
    ),
    (
      "{ 'server.loops': 1, '': {} }",
      [
        "line 1: server.loops: is not a known key; write each section as an object, as { server: { limits: { … } } }",
        "line 1: is not a known key; write each section as an object, as { server: { limits: { … } } }",
      ]
    ),
    ("{ sync: true }", ["line 1: sync: is true or false; use an object with conversations, users"]),
    ("{ sync: {\n users: true,\n 'users': false,\n} }", ["line 3: sync.users: is there twice; remove one"]),
    ("{ 'sy\\u006ec': true }", ["sync: is true or false; use an object with conversations, users"]),
    (
      "{\n sync: { users: 0 },\n // a comment\n log: { level: 0 },\n chat: { typingTimeout: 0 },\n bogus: 0,\n}",
      [
        "line 2: sync.users: is a number; use true or false",
        "line 4: log.level: is a number; use one of error, warn, info, debug",
        "line 5: chat.typingTimeout: 0 is too small; use a whole number from 1 to 5 (seconds)",
        "line 6: bogus: is not a known key; the keys here are server, auth, roles, sync, chat, presence, messages, files, store, log, metrics",
      ]
    ),
  ]
  for (text, expected) in cases { expectEqual(problems(text), expected, text) }

  let syntax = problems("{\n sync: {\n  users true\n }\n}")
  expectEqual(syntax, ["line 3: is not JSON5; write a colon after the key"], "the line of a syntax error")
}

@Test func `the environment sets every key, is checked like the file, and wins over it`() throws {
  let cases: [([String: String], [String])] = [
    (["PATH": "/bin", "PARLEY_PORT": "tcp://10.0.0.1:80", "PARLEY_SERVICE_HOST": "10.0.0.1", "PARLEY_AUTH_SECRET": ""], []),
    (
      ["PARLEY_PORT": "8080"],
      [
        "PARLEY_PORT: is not a known variable; variables are PARLEY_ and the key, as PARLEY_SERVER_LIMITS_MAX_BATCH for server.limits.maxBatch"
      ]
    ),
    (
      ["PARLEY_SERVER_LOOPS": "many"],
      ["PARLEY_SERVER_LOOPS: server.loops: is a text; use a whole number from 0 to 256 (0: one per processor)"]
    ),
    (["PARLEY_SYNC_USERS": "no"], ["PARLEY_SYNC_USERS: sync.users: is a text; use true or false"]),
    (["PARLEY_AUTH_SECRT": secret], ["PARLEY_AUTH_SECRT: is not a known variable; did you mean PARLEY_AUTH_SECRET?"]),
    (["PARLEY_AUTH_SECRT_FILE": "/s"], ["PARLEY_AUTH_SECRT_FILE: is not a known variable; did you mean PARLEY_AUTH_SECRET_FILE?"]),
    (
      ["PARLEY_X": "1"],
      ["PARLEY_X: is not a known variable; variables are PARLEY_ and the key, as PARLEY_SERVER_LIMITS_MAX_BATCH for server.limits.maxBatch"]
    ),
    (
      ["PARLEY_LISTEN": "localhost:1", "PARLEY_SERVER_LISTEN": "localhost:2"],
      ["PARLEY_SERVER_LISTEN: server.listen: is set by PARLEY_LISTEN too; keep one of them"]
    ),
    (
      ["PARLEY_AUTH_SECRET_FILE": "/missing"],
      [
        "PARLEY_AUTH_SECRET_FILE: auth.secret: names the file \"/missing\", which cannot be read; "
          + "name a readable file; a reload reads regular files only"
      ]
    ),
    (
      ["PARLEY_AUTH_SECRET_FILE": "/short"],
      ["PARLEY_AUTH_SECRET_FILE: auth.secret: is 5 bytes long; use at least 32 bytes of random text, or null"]
    ),
    (["PARLEY_ROLES": "{"], ["PARLEY_ROLES: roles: is a text; use an object of roles, each an object of permissions"]),
    (
      ["PARLEY_SERVER_LISTEN": "[::1]:1, nowhere"],
      ["PARLEY_SERVER_LISTEN: server.listen[1]: \"nowhere\" is no address to listen on; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH"]
    ),
    (["PARLEY_SERVER_LISTEN": " , "], ["PARLEY_SERVER_LISTEN: server.listen: is empty; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH"]),
  ]
  for (environment, expected) in cases {
    expectEqual(problems("{}", environment, files: ["/short": "short\n"]), expected, "\(environment)")
  }

  let environment = [
    "PARLEY_LISTEN": "127.0.0.1:1 ,[::1]:2", "PARLEY_SERVER_ORIGINS": "['https://a.example']", "PARLEY_AUTH_SECRET_FILE": "/secret",
    "PARLEY_AUTH_PUBLIC_KEYS_FILE": "/key", "PARLEY_SERVER_LIMITS_MAX_BATCH": "7", "PARLEY_SYNC_USERS": "false",
    "PARLEY_LOG_LEVEL": "debug",
    "PARLEY_ROLES": "{ mute: { send: 'none' } }", "PARLEY_DATA": "/env",
  ]
  let files = ["/secret": secret + "\r\n", "/key": "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n"]
  let settings = try SettingsReader.read(
    text: "{ server: { limits: { maxBatch: 5, maxFragments: 6 } } }", environment: environment, overrides: [.data("/flag")],
    readFile: { files[$0] }
  ).get()
  expectEqual(settings.server.listen, ["127.0.0.1:1", "[::1]:2"], "a list")
  expectEqual(settings.server.origins, ["https://a.example"], "a JSON5 list")
  expectEqual(settings.auth.secret, secret, "a secret from a file, without its newline")
  expectEqual(settings.auth.publicKeys, ["-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----"], "a key from a file")
  expectEqual(settings.server.limits.maxBatch, 7, "the environment wins over the file")
  expectEqual(settings.server.limits.maxFragments, 6, "the file stays where the environment is silent")
  expectEqual(settings.sync.users, false, "a flag")
  expectEqual(settings.log.level, .debug, "a word")
  expectEqual(settings.roles["mute"]?.messages.send, RoleSettings.Reach.none, "an object")
  expectEqual(settings.store.data, "/flag", "a flag of the command line wins over the environment")
}

@Test func `flags are checked like the file, and rules are not asked about what is wrong already`() {
  expectEqual(
    problems(nil, [:], [.listen(["nowhere"]), .data("")]),
    [
      "--listen: server.listen[0]: \"nowhere\" is no address to listen on; use a list of HOST:PORT, [IPv6]:PORT or unix:PATH",
      "--data: store.data: is empty; use the path of a folder",
    ], "flags")
  let cases: [(String, Int)] = [
    ("{ server: { listen: ['0.0.0.0:80'] } }", 1), ("{ server: { listen: ['0.0.0.0:80'] }, auth: { secret: 'x' } }", 1),
    ("{ server: { listen: ['0.0.0.0:80', 1] } }", 1), ("{ server: { listen: ['0.0.0.0:80'] }, sync: { users: 1 } }", 2),
  ]
  for (text, count) in cases { expectEqual(problems(text).count, count, text) }
  expectEqual(problems(nil, rules: []), [], "no rules")
  expectEqual(
    SettingsReader.Override.tls(TLSSettings(certificate: "c", key: "k")).map(\.path), ["server.tls.certificate", "server.tls.key"], "TLS")
  expectEqual(SettingsReader.Override.tls(TLSSettings(key: "k")).map(\.path), ["server.tls.key"], "as far as given")
  let override = SettingsReader.Override(flag: "--x", path: "no.such", value: .null)
  expectEqual(problems(nil, [:], [override]), [], "a flag without a key does nothing")
}

@Test func `variables that an orchestrator sets are left alone, and none of ours is one`() {
  let cases: [(String, String, Bool)] = [
    ("PARLEY_SERVICE_HOST", "10.0.0.1", true), ("PARLEY_WEB_SERVICE_PORT_HTTP", "80", true), ("PARLEY_PORT", "tcp://10.0.0.1:80", true),
    ("PARLEY_WEB_PORT_8080_TCP", "tcp://10.0.0.1:80", true), ("PARLEY_PORT_80_TCP_PROTO", "tcp", true), ("PARLEY_PORT", "80", false),
    ("PARLEY_PORT_HTTP", "80", false), ("PARLEY_SERVICE", "x", false),
  ]
  for (name, text, expected) in cases { expectEqual(SettingsReader.isSetByOrchestrator(name, text), expected, name) }
  for key in SettingTable.keys { expect(!SettingsReader.isSetByOrchestrator(key.environmentName, "a://b"), key.path) }
}
