/// What the command line asks for.
package enum Command: Sendable, Equatable {
  /// The gateway; absent flags leave the file and the environment as they are.
  case serve(config: String?, listen: [String], data: String?, tls: TLSSettings)
  /// A token signed with the configured secret.
  case token(TokenRequest)
  /// Every problem of a configuration, and with `print` the effective settings.
  case checkConfig(file: String?, print: Bool)
  /// A bare WebSocket echo; without a number of loops there is one, so that figures compare with other servers of one thread.
  case echo(listen: [String], loops: Int?, tls: TLSSettings, keepsContexts: Bool)
  /// Asks readiness; nil: of the gateway that the configuration describes.
  case health(url: String?)
  /// The version.
  case version
  /// A text that explains the program or one command.
  case help(String)
}

/// The claims of a token to be signed.
package struct TokenRequest: Sendable, Equatable {
  /// Whose token it is (docs/protocol.md, Opening).
  package enum Kind: String, Sendable, CaseIterable {
    case user, bot, app
  }

  /// The claim `sub`, not empty.
  package var user: String
  /// The claim `tokenType`.
  package var kind = Kind.user
  /// The claim `role`.
  package var role: String?
  /// The claim `name`.
  package var name: String?
  /// Seconds from `iat` to `exp`, at least 1.
  package var lifetime = 86_400
  /// The configuration with the secret.
  package var config: String?

  /// A user's token for a day.
  package init(user: String) {
    self.user = user
  }
}

/// How the program ends.
package enum ExitCode: Int32, Sendable {
  /// Done.
  case success = 0
  /// The command was understood and failed.
  case failure = 1
  /// The command was not understood.
  case usage = 2
}

/// A command line that is not understood.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, what would be right, and where to read on.
  package let description: String
}
