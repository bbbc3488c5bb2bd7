import COpenSSL

/// Why a session cannot go on; its alert, where there is one to send, is in the output already.
package enum TLSFailure: Error, Equatable, Sendable {
  /// The peer offers protocols by ALPN, and none of them is spoken here (RFC 7301 §3.2).
  case noCommonProtocol
  /// The peer speaks no version that is spoken here.
  case noCommonVersion
  /// No cipher, group or signature is known to both.
  case noCommonCipher
  /// The peer gave up, with the number of its alert (RFC 8446 §6), for example because it does not trust the certificate.
  case peerAlert(Int)
  /// What came is no TLS, or not what must come now, or was changed on its way; with OpenSSL's number of the reason.
  case malformed(UInt)
  /// The client announces a longer hello than is let in (`HelloGuard`).
  case hugeHello
  /// The peer sends messages of the protocol itself, such as key updates, and hardly any data between them.
  case flooded
  /// There was no memory, or OpenSSL failed without a word.
  case unexplained

  /// Takes the error of the call that just failed on this thread, and leaves no other behind.
  static func takeLast() -> TLSFailure {
    // The first error is the cause; what stands behind it are its consequences.
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return .unexplained }
    guard parley_ERR_is_of_SSL(code) == 1 else { return .malformed(code) }
    let reason = parley_ERR_reason(code)
    switch reason {
    case SSL_R_NO_APPLICATION_PROTOCOL: return .noCommonProtocol
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      return .noCommonVersion
    case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
      return .noCommonCipher
    case SSL_AD_REASON_OFFSET..<(SSL_AD_REASON_OFFSET + 256): return .peerAlert(Int(reason - SSL_AD_REASON_OFFSET))
    default: return .malformed(code)
    }
  }

  /// What happened, as half a sentence for the log.
  package var sentence: String {
    switch self {
    case .noCommonProtocol: "the peer offers other protocols than http/1.1"
    case .noCommonVersion: "the peer speaks neither TLS 1.2 nor 1.3"
    case .noCommonCipher: "no cipher, group or signature is known to both"
    case .peerAlert(let number): "the peer gave up with alert \(number)"
    case .malformed(let code): ERR_reason_error_string(code).map { String(cString: $0) } ?? "the bytes are not as they must be"
    case .hugeHello: "the client announces a hello of more than \(HelloGuard.maxMessageBytes) bytes"
    case .flooded: "the peer sends messages of the protocol itself and hardly any data"
    case .unexplained: "OpenSSL gave no reason"
    }
  }
}
