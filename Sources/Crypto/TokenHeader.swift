import JSON

/// What is read of a token's header before anything else is done with it.
///
/// Keys that the header carries or points to (`jwk`, `jku`, `x5c`, `x5u`) are never looked at.
struct TokenHeader {
  let algorithm: TokenAlgorithm
  let kid: String?

  /// Reads a header (RFC 7515 §4).
  init(_ bytes: [UInt8], _ parser: JSONParser) throws(TokenRefusal) {
    let result = try parser.parse(bytes) { (root) throws(TokenRefusal) in
      guard root.kind == .object else { throw .malformed }
      guard root.firstDuplicateKey() == nil else { throw .duplicateMember }
      guard root["crit"] == nil else { throw .criticalHeader }
      guard let name = root["alg"]?.string else { throw .malformed }
      guard let algorithm = TokenAlgorithm(rawValue: name) else { throw .algorithmNotAllowed }
      let kid = root["kid"]
      guard kid == nil || kid?.kind == .string else { throw .malformed }
      return (algorithm, kid?.string)
    }
    guard case .success(let header) = result else { throw .malformed }
    (algorithm, kid) = header
  }
}
