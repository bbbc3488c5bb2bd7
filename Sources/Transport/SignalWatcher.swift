import Dispatch
import Glibc

/// Hears the signals that ask the process to end or to read its configuration again, and ignores SIGPIPE.
///
/// The signals' default actions are off from the first watcher to the end of the process. Watching ends with the watcher.
package final class SignalWatcher {
  private let sources: [any DispatchSourceSignal]

  /// Calls `heard` with each signal's number, on a queue of its own, one at a time; every signal after `init` is heard.
  package init(_ signals: [CInt] = [SIGTERM, SIGINT, SIGHUP], heard: @escaping @Sendable (CInt) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "parley.signals")
    let registered = DispatchGroup()
    sources = signals.map { number in
      // Dispatch reports a signal beside its action, which would end the process.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { heard(number) }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      return source
    }
    // Dispatch registers on another thread; a signal before that would be lost.
    registered.wait()
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
