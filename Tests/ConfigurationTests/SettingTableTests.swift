import TestSupport
import Testing

@testable import Configuration

@Test func `the table names each key once and each environment variable once`() {
  let paths = SettingTable.keys.map(\.path)
  expectEqual(Set(paths).count, paths.count, "paths")
  let names = SettingTable.keys.map(\.environmentName) + SettingTable.environmentAliases.keys
  expectEqual(Set(names).count, names.count, "environment names")
  for name in names { expect(!name.hasSuffix("_FILE"), "\(name) would be taken for the file of another") }
  for path in SettingTable.environmentAliases.values { expect(SettingTable.key(at: path) != nil, path) }
  for key in SettingTable.keys { expect(key.reason.hasSuffix("."), "\(key.path) has a sentence") }

  let spelled = [
    ("server.listen", "PARLEY_SERVER_LISTEN"), ("auth.secret", "PARLEY_AUTH_SECRET"), ("roles", "PARLEY_ROLES"),
    ("server.limits.maxJSONDepth", "PARLEY_SERVER_LIMITS_MAX_JSON_DEPTH"),
    ("server.limits.maxMessageBytes", "PARLEY_SERVER_LIMITS_MAX_MESSAGE_BYTES"),
    ("chat.emitReadReceiptEvents.public", "PARLEY_CHAT_EMIT_READ_RECEIPT_EVENTS_PUBLIC"),
  ]
  for (path, name) in spelled { expectEqual(SettingTable.key(at: path)?.environmentName, name, path) }
}

@Test func `a change of settings is told by its keys, and what a reload takes over are keys`() {
  for path in SettingTable.reloaded { expect(SettingTable.key(at: path) != nil, path) }
  var settings = Settings()
  expectEqual(SettingTable.changes(from: Settings(), to: settings).map(\.path), [], "nothing")
  settings.log.level = .debug
  settings.server.limits.maxBatch = 7
  settings.auth.secret = "a"
  expectEqual(
    SettingTable.changes(from: Settings(), to: settings).map(\.path), ["server.limits.maxBatch", "auth.secret", "log.level"], "in order")
}

@Test func `every default passes its own check and comes back as it was`() {
  for key in SettingTable.keys {
    var settings = Settings()
    expectEqual(key.store(key.defaultValue, &settings), [], key.path)
    expectEqual(settings, Settings(), key.path)
  }
}

@Test func `sections list their names and a name is found wherever it stands`() {
  expectEqual(
    SettingTable.names(in: ""), ["server", "auth", "roles", "sync", "chat", "presence", "messages", "files", "store", "log", "metrics"],
    "the root")
  expectEqual(SettingTable.names(in: "sync"), ["conversations", "users"], "a section")
  expectEqual(SettingTable.names(in: "syn"), [], "no section")
  let places = [("maxBatch", "server.limits.maxBatch"), ("limits", "server.limits"), ("sync", "sync"), ("nothing", nil)]
  for (name, path) in places { expectEqual(SettingTable.path(endingIn: name), path, name) }
}

@Test func `the defaults are those of the design`() {
  let defaults: [(String, ConfigurationValue)] = [
    ("server.listen", .list([.text("127.0.0.1:8080")])), ("server.limits.maxMessageBytes", .integer(131_072)),
    ("server.limits.maxFragments", .integer(1_024)), ("server.limits.handshakeMs", .integer(10_000)),
    ("server.limits.maxInFlight", .integer(64)), ("server.limits.maxSubscriptions", .integer(500)),
    ("server.limits.maxBatch", .integer(32)),
    ("server.limits.maxHeadBytes", .integer(16_384)), ("server.limits.maxHeaderFields", .integer(100)),
    ("server.limits.authenticationMs", .integer(10_000)), ("server.limits.maxJSONDepth", .integer(64)),
    ("server.limits.operationsPerSecond", .integer(100)), ("server.limits.operationsBurst", .integer(200)),
    ("server.limits.connectionsPerUser", .integer(50)), ("server.limits.outboundBytes", .integer(1_048_576)),
    ("server.limits.inflatedBytesPerSecond", .integer(1_048_576)),
    ("server.heartbeatMs", .integer(25_000)), ("server.graceMs", .integer(10_000)), ("server.drainMs", .integer(10_000)),
    ("server.name", .text("parley")), ("server.loops", .integer(0)), ("auth.guests", .null), ("auth.secret", .null),
    ("auth.requireExpiry", .flag(true)), ("auth.queryToken", .flag(false)), ("sync.conversations", .flag(true)),
    ("sync.users", .flag(true)), ("chat.typingTimeout", .integer(5)),
    ("chat.storeUserActivityTimestamps", .flag(false)), ("chat.storeUserActivityInterval", .integer(600)),
    ("presence.graceMs", .integer(15_000)), ("chat.rateLimitFactor", .integer(2)), ("chat.rateLimitMaxQueued", .integer(20)),
    ("chat.rateLimitMaxDelay", .integer(60)), ("chat.rateLimitPerChannel.public", .integer(0)),
    ("chat.emitReadReceiptEvents.public", .flag(false)),
    ("messages.maxTextLength", .integer(10_000)), ("messages.dedupeDays", .integer(30)),
    ("messages.pages.messages.default", .integer(30)), ("messages.pages.participants.max", .integer(50)),
    ("messages.pages.conversations.initial", .integer(20)), ("store.data", .text("./data")), ("log.level", .text("info")),
    ("log.format", .text("auto")), ("metrics.allow", .list([])), ("metrics.listen", .null),
    ("server.tls.certificate", .null), ("server.tls.key", .null),
  ]
  for (path, value) in defaults { expectEqual(SettingTable.key(at: path)?.defaultValue, value, path) }
}
