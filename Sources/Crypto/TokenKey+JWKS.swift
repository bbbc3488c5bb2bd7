import JSON

extension TokenKey {
  /// The largest JWK set that is read.
  private static let maxBytes = 1 << 20

  /// Reads the keys of a JWK set (RFC 7517 §5): public RSA keys (RS256) and EC keys on P-256 (ES256), and nothing else.
  ///
  /// The first key that is not taken fails the whole set and is named: a set of which half is silently unused helps nobody.
  package static func jwks(_ text: String) throws(TokenKeyError) -> [TokenKey] {
    guard let parser = JSONParser(maxBytes: maxBytes, maxDepth: 16) else { throw .notJWKS }
    let result = try parser.parse(Array(text.utf8)) { (root) throws(TokenKeyError) -> [TokenKey] in
      guard root.firstDuplicateKey() == nil, let list = root["keys"]?.array else { throw .notJWKS }
      var keys: [TokenKey] = []
      for entry in list {
        do throws(TokenKeyError.JWKProblem) {
          keys.append(try jwk(entry))
        } catch {
          throw .jwk(index: keys.count, kid: entry["kid"]?.string, reason: error)
        }
      }
      return keys
    }
    guard case .success(let keys) = result, !keys.isEmpty else { throw .notJWKS }
    return keys
  }

  private static func jwk(_ entry: JSONValue) throws(TokenKeyError.JWKProblem) -> TokenKey {
    guard entry.kind == .object else { throw .malformed }
    // The private parts of RFC 7518 §6: a leaked one is better found than used.
    guard entry["d"] == nil, entry["k"] == nil, entry["p"] == nil, entry["q"] == nil else { throw .privateKey }
    if let use = entry["use"], !use.isString("sig") { throw .otherUse }
    let kid = entry["kid"]
    guard kid == nil || kid?.kind == .string, let type = entry["kty"]?.string else { throw .malformed }
    switch type {
    case "RSA":
      if let algorithm = entry["alg"], !algorithm.isString("RS256") { throw .otherUse }
      guard let n = number(entry["n"]), let e = number(entry["e"]) else { throw .malformed }
      guard let key = rsa(modulus: n, exponent: e, kid: kid?.string) else { throw .weak }
      return key
    case "EC":
      guard let curve = entry["crv"], curve.isString("P-256") else { throw .unsupportedType }
      if let algorithm = entry["alg"], !algorithm.isString("ES256") { throw .otherUse }
      guard let x = number(entry["x"]), let y = number(entry["y"]), let key = ec(x: x, y: y, kid: kid?.string) else { throw .malformed }
      return key
    default: throw .unsupportedType
    }
  }

  private static func number(_ value: JSONValue?) -> [UInt8]? {
    guard let bytes = value?.rawStringBytes else { return nil }
    return Base64URL.decode(bytes)
  }
}
