import COpenSSL
import FuzzSupport

@testable import Crypto

/// Checks tokens, JWK sets and PEM files.
///
/// The first byte says what the rest is: `t` a token, `j` a JWK set, `p` a PEM file; else a header, a payload and a signature, each behind
/// a line break, which become a token: `s` signed with the secret, `g` with the key for guests, `a` with the signature as it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  switch input.byte() {
  case UInt8(ascii: "j"):
    if let keys = try? TokenKey.jwks(input.text) { checkKeys(keys) }
  case UInt8(ascii: "p"):
    if let key = try? TokenKey.pem(input.text) { checkKeys([key]) }
  case UInt8(ascii: "s"): checkToken(signed(input.parts(at: 10, most: 3), Fixed.secret))
  case UInt8(ascii: "g"): checkToken(signed(input.parts(at: 10, most: 3), Fixed.guestSecret))
  case UInt8(ascii: "a"): checkToken(input.parts(at: 10, most: 3).map(Base64URL.encode).joined(separator: "."))
  default: checkToken(input.text)
  }
  require(ERR_peek_error() == 0, "no error is left for the next call of OpenSSL")
  return 0
}

/// What does not change from input to input.
private enum Fixed {
  static let now: Int64 = 1_700_000_000
  static let secret = Array("0123456789abcdef0123456789abcdef".utf8)
  static let guestSecret = Array("fedcba9876543210fedcba9876543210".utf8)
  static let roles: Set<String> = ["default", "admin"]

  /// Keys of all kinds; public ones of Tests/CryptoTests/TokenFixtures.swift.
  static let verifier = TokenVerifier(
    keys: [key { try .secret(secret, kid: "s") }, key { try .pem(rsa) }, key { try .pem(ec, kid: "e") }],
    guestKey: key { try .secret(guestSecret) },
    policy: TokenPolicy(issuer: "issuer", audience: "parley", requiresExpiry: true, roles: roles))

  private static func key(_ make: () throws -> TokenKey) -> TokenKey { required(try? make(), "the key is good") }

  private static let rsa = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtwsndYy0Me8XGy1I1qqY
    cs/xFto3V6dl+FmMYLvuzeA0uPHcWuAKE7YpFBUSfHknijlPseol2SdeLcMlAK9s
    VgZUDNUQQsjwlA3pgco51zo19t6b+Pw4TbPuQr9ELs8v1fcDRFfuK+a+ynU9+Q3h
    mszlGStOmsETzEdRi+iNjapjc0+gmmQzRyzx8dA3zdZTqTS9mKlvdZ+mHH8IJGF+
    1Rfq/cQlFefF91Aj0+/Tj9VoXlCMznq9EGSLlph6hLLjP/NUvcb7DakpnnGiYWAj
    J9qzPbOeWWnuTvSKqFmblNUNs2016zgmxxVsroTTX0FoCRv5Ffzn1mtEvRGkchSW
    DwIDAQAB
    -----END PUBLIC KEY-----
    """

  private static let ec = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFCqdUwY4uxUD9glZcrkqOMEKz+LM
    gwC/+q0LVbSxmNMlt162fSFSYJA2B1ng9H9jdioFCrnUdCEeTsmtNzGy/Q==
    -----END PUBLIC KEY-----
    """
}

private func hmac(_ text: some Collection<UInt8>, _ secret: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  let bytes = Array(text)
  var count = 0
  let end = EVP_Q_mac(nil, "HMAC", nil, "SHA256", nil, secret, secret.count, bytes, bytes.count, &digest, digest.count, &count)
  require(end != nil && count == 32, "a digest is made")
  return digest
}

private func signed(_ parts: [[UInt8]], _ secret: [UInt8]) -> String {
  let body = parts.prefix(2).map(Base64URL.encode).joined(separator: ".")
  return body + "." + Base64URL.encode(hmac(body.utf8, secret))
}

private func checkToken(_ token: String) {
  for now in [Fixed.now, 0, .max, .min] {
    guard let claims = try? Fixed.verifier.verify(token, now: now) else { continue }
    checkClaims(claims, token, now)
  }
}

private func checkClaims(_ claims: TokenClaims, _ token: String, _ now: Int64) {
  require(token.utf8.count <= TokenVerifier.maxBytes && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a token is short and visible")
  require((1...368).contains(claims.user.utf8.count), "a subject keeps its limit")
  let isGuest = claims.user.utf8.starts(with: "guest-".utf8)
  require(isGuest == (claims.type == .guest), "guests alone are named as guests")
  require(claims.role.map(Fixed.roles.contains) ?? true, "the role exists")
  if let expiry = claims.expiresAt {
    // Claims cut a date that no clock reaches: at the last second that a number has, such a token is not over.
    let end = expiry.addingReportingOverflow(32)
    require(now == .max || end.overflow || now < end.partialValue, "the token is not over")
  }
  require(claims.expiresAt != nil || isGuest, "the token ends some time")
  let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  let signature = required(Base64URL.decode(parts[2]), "a signature is base64url")
  // Nothing makes signatures of the other two algorithms here.
  let body = token.utf8.dropLast(parts[2].count + 1)
  if signature.count == 32 {
    requireEqual(signature, hmac(body, isGuest ? Fixed.guestSecret : Fixed.secret), "the signature is that of the claims")
  }
}

/// A key that was taken can be used, and holds for its own algorithm.
private func checkKeys(_ keys: [TokenKey]) {
  require(!keys.isEmpty && keys.allSatisfy { $0.algorithm != .hs256 }, "public keys are of public algorithms")
  for key in keys.prefix(2) {
    let header = Base64URL.encode(Array(#"{"alg":"\#(key.algorithm.rawValue)"}"#.utf8))
    require(key.verify("\(header).e30.\(Base64URL.encode(Array(repeating: 1, count: 64)))") == nil, "a made-up signature is none")
    require((try? key.sign(claims: [])) == nil, "a public key does not sign")
  }
}
