/// What is told of the certificate that is shown.
package struct CertificateFigures: Sendable, Equatable {
  /// When it ends, Unix seconds.
  package var expiresAt: Int64
  /// New files that were read and could not be used.
  package var reloadFailures: UInt64

  /// Figures of a certificate.
  package init(expiresAt: Int64, reloadFailures: UInt64) {
    self.expiresAt = expiresAt
    self.reloadFailures = reloadFailures
  }
}
