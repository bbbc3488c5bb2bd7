/// A registration that ends when it is closed or released: keep it for as long as it is wanted.
public protocol AutoCloseable: AnyObject, Sendable {
  /// Ends the registration; again it does nothing.
  func close()
}

/// Ends a registration at the latest when nobody keeps it.
final class ListenerHandle: AutoCloseable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  func close() { end() }
}
