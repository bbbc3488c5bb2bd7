// What the page tells of TLS.
extension MetricsPage {
  static func addTLS(_ counts: TLSCounts, _ certificate: CertificateFigures?, to page: inout PrometheusText) {
    page.counter(
      "tls_handshakes", "TLS handshakes that ended, by outcome; full and resumed ones succeeded.",
      TLSCounts.Outcome.allCases.map { ([("outcome", $0.label)], counts.handshakes($0)) })
    page.counter(
      "tls_connections", "TLS handshakes that succeeded, by version.",
      TLSCounts.Version.allCases.map { ([("version", $0.label)], counts.handshakes($0)) })
    guard let certificate else { return }
    page.counter(
      "tls_reload_failures", "New certificate files that could not be used, so that the old certificate stays.",
      [([], certificate.reloadFailures)])
    page.gauge(
      "tls_certificate_expires_seconds", "When the certificate that is shown ends, Unix time.", [([], certificate.expiresAt)])
  }
}
