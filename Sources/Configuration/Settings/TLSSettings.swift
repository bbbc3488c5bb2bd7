/// Where the certificate of the gateway and its key are; both absent: no TLS is spoken.
package struct TLSSettings: Sendable, Equatable {
  /// The path of the chain in PEM.
  package var certificate: String?
  /// The path of the key in PEM.
  package var key: String?

  /// The two paths, or none.
  package init(certificate: String? = nil, key: String? = nil) {
    self.certificate = certificate
    self.key = key
  }

  /// Whether one is given without the other.
  package var isHalf: Bool { (certificate == nil) != (key == nil) }
}
