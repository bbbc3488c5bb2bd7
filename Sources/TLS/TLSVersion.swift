/// A version of the protocol that is spoken here; older ones are not (RFC 8996).
package enum TLSVersion: Int32, Sendable, CaseIterable {
  /// TLS 1.2 (RFC 5246).
  case v12 = 0x0303
  /// TLS 1.3 (RFC 8446).
  case v13 = 0x0304
}
