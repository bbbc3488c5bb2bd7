/// What a token must say to be taken, from the configuration.
package struct TokenPolicy: Sendable, Equatable {
  /// What the ids of guests begin with, and those of nobody else.
  package static let guestPrefix = "guest-"

  /// How far clocks may differ where nothing else is said, seconds.
  package static let standardLeewaySeconds: Int64 = 30

  /// The `iss` that a token must have; nil takes any.
  package var issuer: String?
  /// The `aud` that a token must have, alone or among others; nil takes any.
  package var audience: String?
  /// How far the clocks of signer and gateway may differ, in seconds.
  package var leewaySeconds: Int64
  /// Whether a token without `exp` is refused.
  package var requiresExpiry: Bool
  /// The names of the roles that exist.
  package var roles: Set<String>
  /// What a subject must not begin with, except a guest's, which begins with `guestPrefix`.
  package var reservedPrefixes: [String]

  /// Makes a policy.
  package init(
    issuer: String? = nil, audience: String? = nil, leewaySeconds: Int64 = standardLeewaySeconds, requiresExpiry: Bool = true,
    roles: Set<String> = [], reservedPrefixes: [String] = [guestPrefix]
  ) {
    self.issuer = issuer
    self.audience = audience
    self.leewaySeconds = leewaySeconds
    self.requiresExpiry = requiresExpiry
    self.roles = roles
    self.reservedPrefixes = reservedPrefixes
  }
}
