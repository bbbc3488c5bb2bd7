import CJOSE
import COpenSSL

/// One key and the one algorithm that it may be used with; the header of a token chooses nothing.
package final class TokenKey: Sendable {
  /// The algorithm of the key.
  package let algorithm: TokenAlgorithm
  /// The name by which a token's header may ask for the key.
  package let kid: String?
  // Safe to share: the key is complete before this object exists, cjose only reads it to verify and to sign, OpenSSL locks
  // what it caches inside one, and the only release is in `deinit`, after the last use.
  private nonisolated(unsafe) let jwk: OpaquePointer

  /// Takes over a complete key of the library.
  init(algorithm: TokenAlgorithm, kid: String?, jwk: OpaquePointer) {
    self.algorithm = algorithm
    self.kid = kid
    self.jwk = jwk
  }

  deinit {
    cjose_jwk_release(jwk)
  }

  /// Makes an HS256 key from a secret of at least 32 bytes.
  package static func secret(_ bytes: [UInt8], kid: String? = nil) throws(TokenKeyError) -> TokenKey {
    guard bytes.count >= 32 else { throw .secretTooShort }
    guard let jwk = cjose_jwk_create_oct_spec(bytes, bytes.count, nil) else { throw .signingFailed }
    return TokenKey(algorithm: .hs256, kid: kid, jwk: jwk)
  }

  /// The bytes of the claims, when the signature of the token is this key's.
  ///
  /// The caller has read the header before: this only refuses one that names another algorithm.
  func verify(_ token: String) -> [UInt8]? {
    // What OpenSSL leaves in this thread's queue would be taken for an error of the next TLS call.
    defer { ERR_clear_error() }
    guard let jws = cjose_jws_import(token, token.utf8.count, nil) else { return nil }
    defer { cjose_jws_release(jws) }
    // `CJOSE_HDR_ALG` is a mutable global, which Swift 6 refuses.
    guard let header = cjose_jws_get_protected(jws), let name = cjose_header_get(header, "alg", nil) else { return nil }
    guard String(cString: name) == algorithm.rawValue, cjose_jws_verify(jws, jwk, nil) else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard cjose_jws_get_plaintext(jws, &bytes, &count, nil), let bytes else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// A token with these claims, which must be a JSON object; only a secret signs.
  package func sign(claims: [UInt8]) throws(TokenKeyError) -> String {
    guard algorithm == .hs256 else { throw .cannotSign }
    defer { ERR_clear_error() }
    guard let header = cjose_header_new(nil) else { throw .signingFailed }
    defer { cjose_header_release(header) }
    guard cjose_header_set(header, "alg", algorithm.rawValue, nil), cjose_header_set(header, "typ", "JWT", nil) else {
      throw .signingFailed
    }
    if let kid, !cjose_header_set(header, "kid", kid, nil) { throw .signingFailed }
    guard let jws = cjose_jws_sign(jwk, header, claims, claims.count, nil) else { throw .signingFailed }
    defer { cjose_jws_release(jws) }
    var text: UnsafePointer<CChar>?
    guard cjose_jws_export(jws, &text, nil), let text else { throw .signingFailed }
    return String(cString: text)
  }
}
