import CJOSE
import COpenSSL

extension TokenKey {
  /// Makes an RS256 key from modulus and exponent, big-endian; nil unless it has 2048 to 8192 bits and a sound exponent.
  static func rsa(modulus: [UInt8], exponent: [UInt8], kid: String?) -> TokenKey? {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    guard let top = modulus.first, let last = exponent.last else { return nil }
    let bits = modulus.count * 8 - top.leadingZeroBitCount
    // With an exponent of 1 every signature is its own message. OpenSSL bounds it at 64 bits for large keys, so here for all.
    guard (2048...8192).contains(bits), exponent != [1], last & 1 == 1, exponent.count <= 8 else { return nil }
    var n = modulus
    var e = exponent
    let jwk = n.withUnsafeMutableBufferPointer { n in
      e.withUnsafeMutableBufferPointer { e in
        var spec = cjose_jwk_rsa_keyspec()
        spec.n = n.baseAddress
        spec.nlen = n.count
        spec.e = e.baseAddress
        spec.elen = e.count
        return cjose_jwk_create_RSA_spec(&spec, nil)
      }
    }
    return finish(.rs256, kid, jwk)
  }

  /// Makes an ES256 key from a point of P-256, big-endian; nil when it has not 32 bytes a coordinate or is off the curve.
  static func ec(x: [UInt8], y: [UInt8], kid: String?) -> TokenKey? {
    guard x.count == 32, y.count == 32 else { return nil }
    var x = x
    var y = y
    let jwk = x.withUnsafeMutableBufferPointer { x in
      y.withUnsafeMutableBufferPointer { y in
        var spec = cjose_jwk_ec_keyspec()
        spec.crv = CJOSE_JWK_EC_P_256
        spec.x = x.baseAddress
        spec.xlen = x.count
        spec.y = y.baseAddress
        spec.ylen = y.count
        return cjose_jwk_create_EC_spec(&spec, nil)
      }
    }
    return finish(.es256, kid, jwk)
  }

  private static func finish(_ algorithm: TokenAlgorithm, _ kid: String?, _ jwk: OpaquePointer?) -> TokenKey? {
    guard let jwk else {
      ERR_clear_error()
      return nil
    }
    return TokenKey(algorithm: algorithm, kid: kid, jwk: jwk)
  }
}
