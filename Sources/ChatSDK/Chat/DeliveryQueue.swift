/// Calls the application's closures, one after the other, away from the loop that the events came on.
final class DeliveryQueue: Sendable {
  private let work: AsyncStream<@Sendable () -> Void>.Continuation

  init() {
    let (stream, work) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.work = work
    Task { for await call in stream { call() } }
  }

  /// Calls a closure behind those that were added before.
  func add(_ call: @escaping @Sendable () -> Void) { work.yield(call) }

  /// Takes nothing more; what was added is still called.
  func finish() { work.finish() }
}
