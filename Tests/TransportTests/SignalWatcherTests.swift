import Glibc
import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct SignalWatcherTests {
  @Test func `signals are told instead of ending the process`() async {
    let journal = Journal()
    let watcher = SignalWatcher { journal.write("\($0)") }
    for (count, number) in [SIGHUP, SIGTERM, SIGINT, SIGHUP].enumerated() {
      kill(getpid(), number)
      expectEqual(await journal.lines(count + 1).last, "\(number)", "signal \(number)")
    }
    kill(getpid(), SIGPIPE)
    withExtendedLifetime(watcher) {}
  }
}
