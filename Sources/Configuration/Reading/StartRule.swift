/// Something that must hold between keys before a command may start.
package struct StartRule: Sendable {
  /// The keys and sections that the rule looks at.
  let reads: [String]
  /// What is wrong; nothing where the rule holds.
  let check: @Sendable (Settings) -> [ConfigurationProblem]

  /// Whether a problem at a path makes the rule pointless: what it looks at is not what the operator meant.
  ///
  /// An empty path is a file or a variable that could not be read at all, so that any key may be missing.
  func isBlinded(by path: String) -> Bool {
    path.isEmpty || reads.contains { $0 == path || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") || $0.hasPrefix(path + ".") }
  }

  /// What `parley serve` asks for.
  package static let serving: [StartRule] =
    [somebodyCanLogIn, algorithmHasKey, textFitsMessage, certificateHasKey]
    + [
      page("messages", \.messages.pages.messages), page("participants", \.messages.pages.participants),
      page("conversations", \.messages.pages.conversations),
    ]

  /// What `parley token` asks for.
  package static let signingTokens = [hasSecret]

  /// A gateway that lets nobody in is a mistake, and one that lets everybody in must be asked for.
  static let somebodyCanLogIn = StartRule(reads: ["auth", "server.listen", "server.proxies"]) {
    guard !$0.auth.hasKey, !StartRule.letsGuestsIn($0) else { return [] }
    return [
      ConfigurationProblem(
        .settings, "auth",
        "nobody could log in, because no key is set and guests are off (the default where more than this machine can connect)",
        "set auth.secret (PARLEY_AUTH_SECRET, at least \(AuthSettings.minSecretBytes) bytes), auth.publicKeys or auth.jwks, "
          + "or let everybody in with auth.guests: true (PARLEY_AUTH_GUESTS=true)")
    ]
  }

  /// A key whose algorithms are all refused would never be used.
  static let algorithmHasKey = StartRule(reads: ["auth"]) {
    var problems: [ConfigurationProblem] = []
    let auth = $0.auth
    if auth.secret != nil, !auth.algorithms.contains(.hs256) {
      problems.append(
        ConfigurationProblem(.settings, "auth.algorithms", "refuses HS256, though auth.secret is set", "add HS256 or remove the secret"))
    }
    if auth.hasPublicKey, !auth.algorithms.contains(.rs256), !auth.algorithms.contains(.es256) {
      problems.append(
        ConfigurationProblem(
          .settings, "auth.algorithms", "refuses RS256 and ES256, though public keys are set", "add one of them or remove the keys"))
    }
    return problems
  }

  /// A text that is allowed and whose message is not would end connections with 1009 where an error 107 was meant.
  static let textFitsMessage = StartRule(reads: ["messages.maxTextLength", "server.limits.maxMessageBytes"]) {
    // Written as \u20ac, as many clients do, a scalar takes six bytes; both numbers are in their ranges.
    let (length, bytes) = ($0.messages.maxTextLength, $0.server.limits.maxMessageBytes)
    guard length * 6 > bytes else { return [] }
    return [
      ConfigurationProblem(
        .settings, "messages.maxTextLength", "\(length) characters can take \(length * 6) bytes, more than server.limits.maxMessageBytes",
        "use at most \(bytes / 6), or raise the other")
    ]
  }

  /// A certificate is nothing without its key.
  static let certificateHasKey = StartRule(reads: ["server.tls"]) {
    guard $0.server.tls.isHalf else { return [] }
    let (missing, other) = $0.server.tls.key == nil ? ("key", "certificate") : ("certificate", "key")
    return [
      ConfigurationProblem(
        .settings, "server.tls.\(missing)", "is not set, though server.tls.\(other) is", "set both, or neither where no TLS is spoken")
    ]
  }

  /// Tokens are signed with the secret.
  static let hasSecret = StartRule(reads: ["auth"]) {
    guard $0.auth.secret == nil else { return [] }
    return [
      ConfigurationProblem(
        .settings, "auth.secret", "is not set, and tokens are signed with it",
        "set it in the file or as PARLEY_AUTH_SECRET, at least \(AuthSettings.minSecretBytes) bytes")
    ]
  }

  private static func page(_ name: String, _ field: any SettingKey.Field<PageSettings>) -> StartRule {
    let path = "messages.pages.\(name)"
    return StartRule(reads: [path]) { settings in
      let page = settings[keyPath: field]
      return [("initial", page.initial), ("default", page.default)].filter { $0.1 > page.max }.map { key, number in
        ConfigurationProblem(.settings, "\(path).\(key)", "\(number) is more than \(path).max", "use at most \(page.max)")
      }
    }
  }
}

// MARK: - Guests

extension StartRule {
  /// Whether guests are let in: as `auth.guests` says, else only where nobody else can reach the gateway.
  ///
  /// That is: every listen address is loopback or a socket file, at least one is loopback, and no proxy is named. Over a socket file, and
  /// on a connection that a proxy forwarded, the gateway refuses them all the same.
  package static func letsGuestsIn(_ settings: Settings) -> Bool {
    if let guests = settings.auth.guests { return guests }
    let addresses = settings.server.listen.compactMap { ListenAddress($0) }
    guard settings.server.proxies.isEmpty, addresses.count == settings.server.listen.count else { return false }
    return addresses.contains(where: \.isLoopback) && !addresses.contains(where: \.isReachableFromOutside)
  }
}
