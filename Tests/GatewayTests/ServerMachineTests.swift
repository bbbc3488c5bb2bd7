import TestSupport
import Testing

@testable import Gateway

@Suite struct ServerMachineTests {
  @Test func `every state tells its readiness and what a signal means`() {
    let starting = ServerMachine()
    var serving = starting
    serving.started()
    var drained = serving
    drained.drainBegan()
    var asked = serving
    _ = asked.stopRequested()
    var stopped = asked
    stopped.drainEnded()
    let cases: [(String, ServerMachine, reason: String?, isDraining: Bool, StopAction)] = [
      ("starting", starting, "starting", false, .drain), ("serving", serving, nil, false, .drain),
      ("draining unasked", drained, "draining", true, .nothing), ("draining", asked, "draining", true, .endAtOnce),
      ("stopped", stopped, "stopped", true, .nothing),
    ]
    for (name, machine, reason, isDraining, action) in cases {
      expectEqual(machine.unreadiness, reason.map { FailedCheck(name: "server", reason: $0) }, name)
      expectEqual(machine.isDraining, isDraining, name)
      var machine = machine
      expectEqual(machine.stopRequested(), action, "a signal while \(name)")
      let after = machine
      machine.started()
      machine.drainBegan()
      expectEqual(machine, after, "neither a late start nor a second drain changes what \(name) became")
    }
    var early = starting
    expectEqual(early.stopRequested(), .drain, "a signal before the start")
    expectEqual(early.stopRequested(), .endAtOnce, "and another")
    var unasked = drained
    _ = unasked.stopRequested()
    expectEqual(unasked.stopRequested(), .endAtOnce, "the second signal of a drain that nobody asked for")
  }
}
