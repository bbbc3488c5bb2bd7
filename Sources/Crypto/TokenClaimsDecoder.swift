import JSON

/// Checks the claims of a token whose signature is right (RFC 7519 §4.1).
struct TokenClaimsDecoder {
  let policy: TokenPolicy
  /// Whether the signature is that of the gateway's key for guests.
  let isGuestKey: Bool
  /// Unix seconds.
  let now: Int64

  /// The longest subject in bytes: 92 scalars of four bytes.
  private static let maxSubjectBytes = 368

  /// Reads and checks the claims.
  func decode(_ payload: [UInt8], _ parser: JSONParser) throws(TokenRefusal) -> TokenClaims {
    let result = try parser.parse(payload) { (root) throws(TokenRefusal) in
      guard root.kind == .object else { throw .malformed }
      guard root.firstDuplicateKey() == nil else { throw .duplicateMember }
      return try claims(root)
    }
    guard case .success(let claims) = result else { throw .malformed }
    return claims
  }

  private func claims(_ root: JSONValue) throws(TokenRefusal) -> TokenClaims {
    let expiry = try date(root["exp"])
    let issued = try date(root["iat"])
    try checkTimes(expiry: expiry, issued: issued, notBefore: try date(root["nbf"]))
    // A guest token is the gateway's own and names neither; its key signs nothing else.
    if !isGuestKey {
      try checkIssuer(root["iss"])
      try checkAudience(root["aud"])
    }
    let type = try type(root["tokenType"])
    let user = try subject(root["sub"])
    let role = try text(root["role"])
    if let role, !policy.roles.contains(where: { $0.utf8.elementsEqual(role.utf8) }) { throw .unknownRole }
    return TokenClaims(
      user: user, type: type, role: role, name: try text(root["name"]), photoUrl: try text(root["photoUrl"]),
      issuedAt: issued.map(Self.wholeSeconds), expiresAt: expiry.map(Self.wholeSeconds)
    )
  }

  private func checkTimes(expiry: Double?, issued: Double?, notBefore: Double?) throws(TokenRefusal) {
    let now = Double(now)
    let leeway = Double(policy.leewaySeconds)
    if let expiry {
      // RFC 7519 §4.1.4: the time must be before `exp`.
      if now >= expiry + leeway { throw .expired }
    } else if policy.requiresExpiry, !isGuestKey {
      throw .missingExpiry
    }
    if let notBefore, now < notBefore - leeway { throw .notYetValid }
    if let issued, now < issued - leeway { throw .notYetValid }
  }

  private func checkIssuer(_ value: JSONValue?) throws(TokenRefusal) {
    guard value == nil || value?.kind == .string else { throw .badClaim }
    guard let wanted = policy.issuer else { return }
    guard Self.isText(value, wanted) else { throw .wrongIssuer }
  }

  private func checkAudience(_ value: JSONValue?) throws(TokenRefusal) {
    // RFC 7519 §4.1.3: one string, or an array of them.
    let names = value?.array.map { Array($0) } ?? (value.map { [$0] } ?? [])
    guard names.allSatisfy({ $0.kind == .string }) else { throw .badClaim }
    guard let wanted = policy.audience else { return }
    guard names.contains(where: { Self.isText($0, wanted) }) else { throw .wrongAudience }
  }

  private func type(_ value: JSONValue?) throws(TokenRefusal) -> TokenType {
    var type = TokenType.user
    if let value {
      guard let known = value.string.flatMap(TokenType.init(rawValue:)) else { throw .unknownTokenType }
      type = known
    }
    guard (type == .guest) == isGuestKey else { throw .wrongKeyForType }
    return type
  }

  private func subject(_ value: JSONValue?) throws(TokenRefusal) -> String {
    guard let value else { throw .missingSubject }
    guard let user = value.string, !user.isEmpty, user.utf8.count <= Self.maxSubjectBytes else { throw .badSubject }
    let isGuest = Self.hasPrefix(user, TokenPolicy.guestPrefix)
    if isGuestKey {
      guard isGuest else { throw .badSubject }
      return user
    }
    guard !isGuest else { throw .guestSubject }
    guard !policy.reservedPrefixes.contains(where: { Self.hasPrefix(user, $0) }) else { throw .badSubject }
    return user
  }

  /// An optional string; many signers write `null` for one that they have not.
  private func text(_ value: JSONValue?) throws(TokenRefusal) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let text = value.string else { throw .badClaim }
    return text
  }

  /// A NumericDate (RFC 7519 §2): seconds, may have a fraction.
  private func date(_ value: JSONValue?) throws(TokenRefusal) -> Double? {
    guard let value else { return nil }
    guard let seconds = value.double else { throw .badClaim }
    return seconds
  }

  private static func wholeSeconds(_ seconds: Double) -> Int64 {
    // No date needs more than 53 bits, and milliseconds of it must not overflow.
    let bound = 9_007_199_254_740.0
    let bounded = min(max(seconds, -bound), bound)
    // Rounding by hand, because `rounded` would need the C mathematics library.
    let whole = Int64(bounded)
    return Double(whole) > bounded ? whole - 1 : whole
  }

  /// Whether the value is this text, compared as bytes: `String` takes canonically equivalent texts for one.
  private static func isText(_ value: JSONValue?, _ text: String) -> Bool {
    value?.rawStringBytes?.elementsEqual(text.utf8) == true
  }

  private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
    text.utf8.starts(with: prefix.utf8)
  }
}
