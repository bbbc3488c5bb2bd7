/// Every key, in the order in which `config/parley.json5` and `--print` show them.
package enum SettingTable {
  /// Every key once.
  package static let keys: [SettingKey] =
    server + tls + compression + limits + auth + roles + sync + chat + presence + messages + files + operation

  /// The short environment names of what is set most often.
  package static let environmentAliases = ["PARLEY_LISTEN": "server.listen", "PARLEY_DATA": "store.data"]

  /// The keys that a reload (SIGHUP) takes over while the gateway runs; all others need a restart.
  package static let reloaded: Set<String> = [
    "server.origins", "server.tls.certificate", "server.tls.key", "auth.guests", "auth.secret", "auth.publicKeys", "auth.jwks",
    "auth.issuer", "auth.audience", "auth.algorithms",
    "auth.requireExpiry", "roles", "log.level",
  ]

  /// The keys whose values differ between two settings, in the table's order.
  package static func changes(from old: Settings, to new: Settings) -> [SettingKey] {
    keys.filter { $0.show(old) != $0.show(new) }
  }

  /// The key at a path.
  package static func key(at path: String) -> SettingKey? { byPath[path] }

  /// The names inside a section (`""` is the root), each once and in order; empty where there is no such section.
  static func names(in section: String) -> [String] {
    let prefix = section.isEmpty ? "" : section + "."
    var names: [String] = []
    for key in keys where key.path.hasPrefix(prefix) {
      guard let name = key.path.dropFirst(prefix.count).split(separator: ".").first.map(String.init) else { continue }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The first key or section of a name, wherever it stands: somebody may have forgotten the section.
  static func path(endingIn name: String) -> String? {
    for key in keys {
      let words = key.path.split(separator: ".")
      if let index = words.firstIndex(where: { $0 == name }) { return words[...index].joined(separator: ".") }
    }
    return nil
  }

  private static let byPath = Dictionary(keys.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

  private static let server: [SettingKey] = [
    .texts(
      "server.listen", \.server.listen, .listenAddress, mayBeEmpty: false,
      "Where it listens; the default is reached from this machine only, so a first try exposes nothing."),
    .texts(
      "server.proxies", \.server.proxies, .proxy,
      "Proxies whose word about the client is believed (PROXY protocol, Forwarded, X-Forwarded-*); none, as anybody can say such things."),
    .texts(
      "server.origins", \.server.origins, .origin,
      "Web origins that may connect besides the gateway's own, letter for letter; none, against foreign pages in a user's browser."),
    .integer(
      "server.heartbeatMs", \.server.heartbeatMs, 1_000...3_600_000, "milliseconds",
      "Silence until a ping goes out; half of the 60 s after which many proxies cut a quiet connection."),
    .integer(
      "server.graceMs", \.server.graceMs, 500...600_000, "milliseconds",
      "Silence after that ping until the connection is freed; a phone that changes networks needs some seconds."),
    .integer(
      "server.drainMs", \.server.drainMs, 0...600_000, "milliseconds",
      "Time over which connections are closed on a stop, so that clients do not all come back at once."),
    .text("server.name", \.server.name, .name, "The server's name in the hello message, to tell installations apart."),
    .integer(
      "server.loops", \.server.loops, 0...256, "0: one per processor",
      "Event loops; one per processor uses the machine without switching between threads."),
  ]

  private static let tls: [SettingKey] = [
    .optionalText(
      "server.tls.certificate", \.server.tls.certificate, .nonEmpty("the path of a PEM file"),
      "The certificate and its chain, for TLS 1.2 and 1.3 on every listen address; read again when it changes. null: no TLS."),
    .optionalText(
      "server.tls.key", \.server.tls.key, .nonEmpty("the path of a PEM file"),
      "The key of that certificate, without a password; readable by the gateway alone."),
  ]

  private static let compression: [SettingKey] = [
    .flag(
      "server.compression.enabled", \.server.compression.enabled,
      "Compresses messages of 256 bytes and more for clients that offer permessage-deflate, as browsers do; costs no memory while idle."),
    .flag(
      "server.compression.contextTakeover", \.server.compression.contextTakeover,
      "Lets messages refer to those before them; off, because each connection that uses it keeps about 50 KB for some percent."),
  ]

  private static let limits: [SettingKey] = [
    .integer(
      "server.limits.maxHeadBytes", \.server.limits.maxHeadBytes, 2_048...32_768, "bytes",
      "The largest request head (else 431); browsers with many cookies send 8 KiB."),
    .integer(
      "server.limits.maxHeaderFields", \.server.limits.maxHeaderFields, 10...1_000, "fields",
      "The most fields of a request head (else 431); browsers send about 20, proxies add some."),
    .integer(
      "server.limits.maxMessageBytes", \.server.limits.maxMessageBytes, 8_192...16_777_216, "bytes",
      "The largest incoming message; the longest text with its custom fields fits, and a flood of large ones does not."),
    .integer(
      "server.limits.maxFragments", \.server.limits.maxFragments, 1...1_048_576, "frames",
      "The most frames of one message; a frame a byte would cost more than its content."),
    .integer(
      "server.limits.handshakeMs", \.server.limits.handshakeMs, 100...600_000, "milliseconds",
      "Time from the accepted socket to the finished upgrade; sockets that say nothing must not pile up."),
    .integer(
      "server.limits.authenticationMs", \.server.limits.authenticationMs, 100...600_000, "milliseconds",
      "Time from the finished upgrade to an open session (else 4000); who is not known must not keep a connection."),
    .integer(
      "server.limits.maxJSONDepth", \.server.limits.maxJSONDepth, 8...256, "levels",
      "Arrays and objects inside each other; no call needs more than eight, and depth costs the reader's stack."),
    .integer(
      "server.limits.operationsPerSecond", \.server.limits.operationsPerSecond, 0...1_000_000, "calls; 0: no limit",
      "Calls in a second, of each connection and of each user on all their connections (else 109); people need a few."),
    .integer(
      "server.limits.operationsBurst", \.server.limits.operationsBurst, 1...10_000_000, "calls",
      "Calls that may come at once before that rate counts; a page that opens with a hundred conversations fits."),
    .integer(
      "server.limits.connectionsPerUser", \.server.limits.connectionsPerUser, 0...100_000, "sessions; 0: no limit",
      "Open sessions of one user (else 108 and 4102); tabs and devices of a person fit, a runaway script does not."),
    .integer(
      "server.limits.connectionsPerAddress", \.server.limits.connectionsPerAddress, 0...1_000_000, "connections; 0: no limit",
      "Connections of one client address, IPv6 by /64 (else 429); off, because a company or a mobile network can be one address."),
    .integer(
      "server.limits.connections", \.server.limits.connections, 0...10_000_000, "connections; 0: as many as there are descriptors",
      "Connections in all; those beyond serve health checks only (else 503), as do the last 64 descriptors, more with many loops."),
    .integer(
      "server.limits.maxInFlight", \.server.limits.maxInFlight, 1...10_000, "requests",
      "Requests of one connection that run at once; beyond it the socket is not read, which slows the sender."),
    .integer(
      "server.limits.maxSubscriptions", \.server.limits.maxSubscriptions, 1...100_000, "topics",
      "Topics of one connection; a client that shows a hundred conversations needs about four each."),
    .integer(
      "server.limits.maxBatch", \.server.limits.maxBatch, 1...1_000, "entries",
      "Entries of a JSON-RPC batch; enough to open a page in one message."),
    .integer(
      "server.limits.outboundBytes", \.server.limits.outboundBytes, 524_288...1_073_741_824, "bytes",
      "Bytes queued for a slow reader before it is cut off (4100); two full snapshots are the least."),
    .integer(
      "server.limits.inflatedBytesPerSecond", \.server.limits.inflatedBytesPerSecond, 0...1_073_741_824, "bytes; 0: no limit",
      "Bytes a second that compressed messages become beyond what was sent, twice as many at once; beyond it the socket is not read."),
  ]

  private static let auth: [SettingKey] = [
    .optionalFlag(
      "auth.guests", \.auth.guests,
      "Whether people without a token get in; null: only where every listen address is loopback and no proxy is set."),
    .optionalText(
      "auth.secret", \.auth.secret, .secret, isSecret: true,
      "The key of HS256 tokens, raw UTF-8; better in PARLEY_AUTH_SECRET or PARLEY_AUTH_SECRET_FILE than here."),
    .texts(
      "auth.publicKeys", \.auth.publicKeys, .nonEmpty("public keys, each as PEM text or as the path of a PEM file"),
      "Keys of RS256 and ES256 tokens, for backends that keep the private key to themselves."),
    .optionalText(
      "auth.jwks", \.auth.jwks, .nonEmpty("the path of a JWKS file"),
      "Keys of RS256 and ES256 tokens as an identity provider exports them."),
    .optionalText(
      "auth.issuer", \.auth.issuer, .nonEmpty("the issuer's name"), "What the claim iss must be; null: it is not looked at."),
    .optionalText(
      "auth.audience", \.auth.audience, .nonEmpty("the audience's name"), "What the claim aud must hold; null: it is not looked at."),
    .choices(
      "auth.algorithms", \.auth.algorithms,
      "Signatures that are accepted where a key for them is set; the token's own word is never taken."),
    .flag(
      "auth.requireExpiry", \.auth.requireExpiry, "Refuses tokens without exp; a leaked one would open the door for ever."),
    .flag(
      "auth.queryToken", \.auth.queryToken, "Takes ?token= in the address; off, because addresses end up in the logs of proxies."),
  ]

  private static let roles: [SettingKey] = [
    .roles(
      "roles", \.roles,
      "What a session may do, by the role of its token, or default; a permission that a role leaves out is as in the default below.")
  ]

  private static let sync: [SettingKey] = [
    .flag(
      "sync.conversations", \.sync.conversations,
      "Clients may create and change conversations and participants; turn it off where a backend does that."),
    .flag("sync.users", \.sync.users, "Clients may change their own user record; turn it off where a backend does that."),
  ]

  private static let chat: [SettingKey] = [
    .integer(
      "chat.typingTimeout", \.chat.typingTimeout, 1...5, "seconds",
      "Time until a typing indicator ends by itself; a longer one would show people typing who are gone."),
    .flag(
      "chat.storeUserActivityTimestamps", \.chat.storeUserActivityTimestamps,
      "Keeps and shows when users were active last; off, because it tells about people who may not want that."),
    .integer(
      "chat.storeUserActivityInterval", \.chat.storeUserActivityInterval, 60...86_400, "seconds",
      "How often that is written for a connected user; more often would be a write a user for little news.",
      tooSmall: "storeUserActivityInterval must be at least 60000ms"),
    .integer(
      "chat.rateLimitPerChannel.direct", \.chat.rateLimitPerChannel.direct, 0...3_600_000, "milliseconds; 0: no limit",
      "The wait behind a user's first message between two people; off, because two people stop each other."),
    .integer(
      "chat.rateLimitPerChannel.group", \.chat.rateLimitPerChannel.group, 0...3_600_000, "milliseconds; 0: no limit",
      "The wait behind a user's first message in groups; off, because a circle of people who know each other needs none."),
    .integer(
      "chat.rateLimitPerChannel.public", \.chat.rateLimitPerChannel.public, 0...3_600_000, "milliseconds; 0: no limit",
      "The wait behind a user's first message in public conversations; off, but the first to set where strangers meet."),
    .integer(
      "chat.rateLimitPerChannel.unknown", \.chat.rateLimitPerChannel.unknown, 0...3_600_000, "milliseconds; 0: no limit",
      "The wait behind a user's first message in conversations of no known type; off."),
    .integer(
      "chat.rateLimitFactor", \.chat.rateLimitFactor, 1...100, "",
      "By what each further wait of a burst is longer; 2 slows a flood down within seconds and hardly a person."),
    .integer(
      "chat.rateLimitMaxQueued", \.chat.rateLimitMaxQueued, 0...1_000, "messages",
      "Messages of a user that wait in a conversation (else 109); more would come so late that nobody expects them."),
    .integer(
      "chat.rateLimitMaxDelay", \.chat.rateLimitMaxDelay, 0...3_600, "seconds",
      "The longest that a message waits (else 109); a client that waits for an answer gives up by then."),
    .flag(
      "chat.syncMutedUsers", \.chat.syncMutedUsers,
      "Keeps whom a user muted, for all their sessions; off, a list ends with its session and the client tells it anew."),
    .flag("chat.emitReadReceiptEvents.direct", \.chat.emitReadReceiptEvents.direct, "Read receipts between two people."),
    .flag("chat.emitReadReceiptEvents.group", \.chat.emitReadReceiptEvents.group, "Read receipts in groups."),
    .flag(
      "chat.emitReadReceiptEvents.public", \.chat.emitReadReceiptEvents.public,
      "Read receipts in public conversations; off, because thousands of readers would each cost an event."),
    .flag("chat.emitReadReceiptEvents.unknown", \.chat.emitReadReceiptEvents.unknown, "Read receipts in conversations of no known type."),
  ]

  private static let presence: [SettingKey] = [
    .integer(
      "presence.graceMs", \.presence.graceMs, 0...3_600_000, "milliseconds",
      "How long a user stays online without a connection; a phone that changes networks is back by then, and nobody is told.")
  ]

  private static let messages: [SettingKey] =
    [
      .integer(
        "messages.maxTextLength", \.messages.maxTextLength, 1...100_000, "Unicode scalars",
        "The longest text of a message; longer ones are error 107."),
      .integer(
        "messages.dedupeDays", \.messages.dedupeDays, 1...3_650, "days",
        "How long a clientMessageId is remembered; a phone may stay off for a holiday and then send again."),
    ]
    + pages("messages", \.messages.pages.messages.initial, \.messages.pages.messages.max, \.messages.pages.messages.default)
    + pages(
      "participants", \.messages.pages.participants.initial, \.messages.pages.participants.max, \.messages.pages.participants.default)
    + pages(
      "conversations", \.messages.pages.conversations.initial, \.messages.pages.conversations.max,
      \.messages.pages.conversations.default)

  private static func pages(
    _ items: String, _ initial: any SettingKey.Field<Int>, _ max: any SettingKey.Field<Int>, _ normal: any SettingKey.Field<Int>
  ) -> [SettingKey] {
    // A list keeps at most 200 items (docs/protocol.md, Topics), so no page may be larger.
    let range = 1...200
    return [
      .integer("messages.pages.\(items).initial", initial, range, items, "First \(items) of a subscription: a screenful."),
      .integer("messages.pages.\(items).max", max, range, items, "The most \(items) that one loadMore may ask for."),
      .integer("messages.pages.\(items).default", normal, range, items, "More \(items) for a request that names no number."),
    ]
  }

  private static let files: [SettingKey] = [
    .integer(
      "files.maxBytes", \.files.maxBytes, 0...1_099_511_627_776, "bytes",
      "The largest file that may be uploaded (else 413); a photograph fits, a film does not. 0: none may be."),
    .texts(
      "files.types", \.files.types, .mediaType,
      "Types of files that may be uploaded (else 415); all, as only pictures, sounds and films are ever shown in place."),
    .integer(
      "files.bytesPerUser", \.files.bytesPerUser, 0...1_099_511_627_776, "bytes; 0: no limit",
      "Room for the files of one user (else 507), so that one cannot take it all."),
    .integer(
      "files.totalBytes", \.files.totalBytes, 0...1_125_899_906_842_624, "bytes; 0: no limit",
      "Room for all files (else 507), each content counted once; files must not fill the disk that messages need."),
    .integer(
      "files.uploadsPerMinute", \.files.uploadsPerMinute, 0...60_000, "files; 0: no limit",
      "Files that one user may upload in a minute (else 429); an album at once fits."),
    .integer(
      "files.unusedHours", \.files.unusedHours, 1...8_760, "hours",
      "How long an uploaded file waits for its first message before it is removed; a draft may lie over night."),
  ]

  private static let operation: [SettingKey] = [
    .text("store.data", \.store.data, .nonEmpty("the path of a folder"), "The data folder; one gateway locks it."),
    .choice("log.level", \.log.level, "The least important events that are logged; a reload (SIGHUP) changes it."),
    .choice("log.format", \.log.format, "The form of a line; auto: text on a terminal, JSON elsewhere."),
    .integer(
      "log.linesPerSecond", \.log.linesPerSecond, 0...100_000, "lines; 0: all",
      "Lines of one event that are written in a second, the rest is counted; an attack must not fill the disk."),
    .texts(
      "metrics.allow", \.metrics.allow, .network,
      "Addresses or networks that may read /metrics besides this machine; none, because numbers tell about users too."),
    .optionalText(
      "metrics.listen", \.metrics.listen, .listenAddress, "An address of its own, without TLS, for /metrics and health checks; null: none."),
  ]
}
