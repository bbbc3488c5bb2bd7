/// Which side of the connection we are.
///
/// Clients mask what they send and servers do not (RFC 6455 §5.1).
package enum Role: Equatable, Sendable {
  /// We accept connections, send bare and demand masks.
  case server
  /// We open connections, mask what we send and demand none.
  case client
}
