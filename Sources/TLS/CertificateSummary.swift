import COpenSSL
import Glibc

/// What is told of a certificate.
package struct CertificateSummary: Sendable, Equatable {
  /// The serial number in hexadecimal digits.
  package let serial: String
  /// When it ends, Unix seconds.
  package let expiresAt: Int64

  /// Reads an `X509`.
  package init(_ certificate: OpaquePointer) {
    serial = Self.serial(of: certificate)
    var time = tm()
    let isKnown = ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1
    expiresAt = isKnown ? Int64(timegm(&time)) : 0
  }

  private static func serial(of certificate: OpaquePointer) -> String {
    guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nil) else { return "" }
    defer { BN_free(number) }
    guard let text = BN_bn2hex(number) else { return "" }
    defer { CRYPTO_free(text, nil, 0) }
    return String(cString: text)
  }
}
