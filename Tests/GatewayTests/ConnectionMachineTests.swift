import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct ConnectionMachineTests {
  /// A machine in each phase.
  private static func machines() -> [(name: String, ConnectionMachine)] {
    var kept = ConnectionMachine()
    _ = kept.answered(isRefusal: false, keepsAlive: true)
    var answering = ConnectionMachine()
    answering.requestWaits()
    var webSocket = ConnectionMachine()
    _ = webSocket.upgraded()
    var paused = webSocket
    paused.paused()
    var leaving = webSocket
    _ = leaving.left(because: .badToken)
    var closed = ConnectionMachine()
    _ = closed.ended(because: .drained)
    return [
      ("PROXY header", ConnectionMachine(mayBeProxied: true)), ("first request", ConnectionMachine()), ("next request", kept),
      ("answering", answering), ("webSocket", webSocket),
      ("paused", paused), ("leaving", leaving), ("closed", closed),
    ]
  }

  /// What each phase says to one event.
  private func check<Action: Equatable>(_ event: String, _ expected: [Action], _ act: (inout ConnectionMachine) -> Action) {
    for ((name, machine), action) in zip(Self.machines(), expected) {
      var machine = machine
      expectEqual(act(&machine), action, "\(event) in \(name)")
    }
  }

  @Test func `every phase reads, watches and answers as it should`() {
    check("input", [ConnectionMachine.Input.proxyHeader, .requests, .requests, .kept, .frames, .kept, .discarded, .discarded]) { $0.input }
    check("interest", [.reads as ConnectionMachine.Watch, .reads, .reads, .ends, .reads, .ends, .reads, []]) { $0.watch }
    check(
      "blocked",
      [
        [.reads, .writes] as ConnectionMachine.Watch, [.reads, .writes], [.reads, .writes], [.writes, .ends], [.reads, .writes],
        [.writes, .ends], [.reads, .writes], .writes,
      ]
    ) {
      $0.writeBlocked(true)
      return $0.watch
    }
    check("unblocked", [.reads as ConnectionMachine.Watch, .reads, .reads, .ends, .reads, .ends, .reads, []]) {
      $0.writeBlocked(true)
      $0.writeBlocked(false)
      return $0.watch
    }
    check("HTTP", [true, true, true, true, false, false, false, false]) { $0.isHTTP }
    check("WebSocket", [false, false, false, false, true, true, false, false]) { $0.isWebSocket }
    check("reads requests", [false, true, true, false, false, false, false, false]) { $0.readsRequests }
    check("closed", [false, false, false, false, false, false, false, true]) { $0.isClosed }
    check(
      "broken",
      [CloseCause.peerVanished, .peerVanished, .peerVanished, .peerVanished, .peerVanished, .peerVanished, .badToken, .peerVanished]
    ) {
      $0.causeOfBreak
    }
  }

  @Test func `what is kept for the next flush comes before everything else from the socket`() {
    check("yields", [false, true, true, false, true, true, false, false]) { $0.yielded() }
    check("input", [ConnectionMachine.Input.proxyHeader, .kept, .kept, .kept, .kept, .kept, .discarded, .discarded]) {
      _ = $0.yielded()
      return $0.input
    }
    for events in [Readiness.readable, [.readable, .peerClosed], [.readable, .hangup]] {
      var machine = ConnectionMachine()
      _ = machine.upgraded()
      machine.writeBlocked(true)
      machine.paused()
      expect(machine.resumed() && machine.flushWanted() && !machine.flushWanted(), "one flush, though the kernel takes no bytes")
      expectEqual(machine.ready(events), .nothing, "before the flush: \(events)")
      expect(machine.flushBegan() && !machine.flushBegan(), "once")
      expectEqual(machine.input, .frames, "in the flush")
      expect(machine.yielded() && machine.flushWanted(), "much is to be gone through")
      expect(!machine.flushBegan(), "a flush does not wait for the others")
      expectEqual(machine.ready(events), .nothing, "before the round: \(events)")
      expect(machine.roundCame() && !machine.roundCame() && !machine.flushBegan(), "once")
      expectEqual(machine.input, .frames, "in the round")
      expectEqual(machine.ready(events), .receive, "behind it: \(events)")
      expect(machine.yielded() && machine.left(because: .badToken), "leaving")
      expectEqual(machine.input, .discarded, "nothing is gone through any more")
      expect(!machine.roundCame(), "nor in the round")
    }
  }

  @Test func `every phase reacts to the socket, the peer and the time`() {
    let receive = ConnectionMachine.ReadyAction.receive
    let gone = ConnectionMachine.ReadyAction.free(.peerVanished)
    check("readable", [receive, receive, receive, .nothing, receive, .nothing, receive, .nothing]) { $0.ready(.readable) }
    check("hangup", [receive, receive, receive, gone, receive, gone, receive, .nothing]) { $0.ready([.hangup, .readable]) }
    // A peer that sends no more is read to its end, and where nothing is read it is gone.
    check("peer closed", [receive, receive, receive, gone, receive, gone, receive, .nothing]) { $0.ready([.peerClosed, .readable]) }
    check("writable", Array(repeating: ConnectionMachine.ReadyAction.nothing, count: 8)) { $0.ready(.writable) }
    typealias End = ConnectionMachine.EndAction
    check(
      "end",
      [
        End.free(.peerVanished), .free(.peerVanished), .free(.requestServed), .free(.peerVanished), .free(.peerVanished),
        .free(.peerVanished), .free(.badToken),
        .nothing,
      ]
    ) { $0.peerEnded(hasInput: false, hasOutput: false) }
    check(
      "end with output",
      [
        End.free(.peerVanished), .leave(.peerVanished), .leave(.requestServed), .free(.peerVanished), .free(.peerVanished),
        .free(.peerVanished), .nothing,
        .nothing,
      ]
    ) { $0.peerEnded(hasInput: false, hasOutput: true) }
    check(
      "end within a request",
      [
        End.free(.handshakeFailed), .free(.handshakeFailed), .free(.handshakeFailed), .free(.peerVanished), .free(.peerVanished),
        .free(.peerVanished),
        .free(.badToken), .nothing,
      ]
    ) { $0.peerEnded(hasInput: true, hasOutput: false) }
    typealias Time = ConnectionMachine.TimeAction
    check(
      "time",
      [
        Time.free(.handshakeTimeout), .free(.handshakeTimeout), .free(.requestServed), .apologize, .checkLife, .checkLife, .free(.badToken),
        .nothing,
      ]
    ) {
      $0.timeReached(hasInput: false)
    }
    check(
      "time within a request",
      [Time.free(.handshakeTimeout), .refuseRequest, .refuseRequest, .apologize, .checkLife, .checkLife, .free(.badToken), .nothing]
    ) {
      $0.timeReached(hasInput: true)
    }
    typealias Drain = ConnectionMachine.DrainAction
    check("drain", [Drain.nothing, .nothing, .nothing, .refuseRequest, .close, .close, .nothing, .nothing]) { $0.drained() }
  }

  @Test func `every phase takes answers and ends once`() {
    typealias Answer = ConnectionMachine.AnswerAction
    check("answer", [Answer.nothing, .readOn, .readOn, .readOn, .nothing, .nothing, .nothing, .nothing]) {
      $0.answered(isRefusal: false, keepsAlive: true)
    }
    check(
      "last answer",
      [Answer.nothing, .leave(.requestServed), .leave(.requestServed), .leave(.requestServed), .nothing, .nothing, .nothing, .nothing]
    ) { $0.answered(isRefusal: false, keepsAlive: false) }
    check(
      "refusal",
      [Answer.nothing, .leave(.requestRefused), .leave(.requestRefused), .leave(.requestRefused), .nothing, .nothing, .nothing, .nothing]
    ) {
      $0.answered(isRefusal: true, keepsAlive: false)
    }
    check("upgrade", [false, true, true, true, false, false, false, false]) { $0.upgraded() }
    check("waiting", [ConnectionMachine.Input.proxyHeader, .kept, .kept, .kept, .frames, .kept, .discarded, .discarded]) {
      $0.requestWaits()
      return $0.input
    }
    check("farewell", [true, true, true, true, true, true, false, false]) { $0.left(because: .drained) }
    check("end", [CloseCause?.some(.drained), .drained, .drained, .drained, .drained, .drained, .badToken, nil]) {
      $0.ended(because: .drained)
    }
    check("second end", [CloseCause?](repeating: nil, count: 8)) {
      _ = $0.ended(because: .drained)
      return $0.ended(because: .drained)
    }
    check("pause", [false, false, false, false, true, true, false, false]) {
      $0.paused()
      return $0.isPaused
    }
    check("resume", [false, false, false, false, false, true, false, false]) { $0.resumed() }
    check("pause and resume", [false, false, false, false, true, true, false, false]) {
      $0.paused()
      return $0.resumed()
    }
    check("header read", [ConnectionMachine.Input.requests, .requests, .requests, .kept, .frames, .kept, .discarded, .discarded]) {
      $0.proxyHeaderPassed()
      return $0.input
    }
    typealias Sent = ConnectionMachine.SentAction
    check("all sent", [Sent.nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .sendEnd, .nothing]) { $0.sentAll() }
    check("all sent twice", Array(repeating: Sent.nothing, count: 8)) {
      _ = $0.sentAll()
      return $0.sentAll()
    }
  }

  @Test func `a flush is asked for once, and what was kept is gone through in it`() {
    var machine = ConnectionMachine()
    expect(machine.queued(), "the first")
    expect(!machine.queued(), "the second")
    expect(!machine.flushBegan(), "nothing was kept")
    expect(machine.queued(), "after the flush")
    _ = machine.flushBegan()
    machine.writeBlocked(true)
    expect(!machine.queued(), "the socket will say when")
    machine.writeBlocked(false)
    expect(machine.queued(), "again")
    _ = machine.flushBegan()

    machine.requestWaits()
    expectEqual(machine.answered(isRefusal: false, keepsAlive: true), .readOn, "a late answer")
    expect(machine.flushBegan(), "what came while it was awaited")
    expect(!machine.flushBegan(), "once")
    machine.requestWaits()
    expect(machine.upgraded(), "a late upgrade")
    expect(machine.flushBegan(), "what came while it was awaited")
    machine.paused()
    expect(machine.resumed() && !machine.resumed(), "resumed once")
    expectEqual(machine.input, .kept, "nothing new before that")
    expect(machine.left(because: .slowReader), "leaving")
    expect(!machine.flushBegan(), "nothing is gone through any more")

    expectEqual(machine.peerEnded(hasInput: false, hasOutput: true), .nothing, "the peer ends first")
    expectEqual(machine.watch, [], "there is nothing to read")
    expectEqual(machine.ready(.hangup), .free(.slowReader), "a broken socket")
    expectEqual(machine.sentAll(), .free(.slowReader), "both have ended")
    var closing = ConnectionMachine()
    _ = closing.upgraded()
    closing.paused()
    _ = closing.resumed()
    _ = closing.ended(because: .drained)
    expect(!closing.flushBegan(), "closed before its flush")
  }

  @Test func `what came before the peer's end is gone through where it was kept, then the end counts`() {
    var machine = ConnectionMachine()
    _ = machine.upgraded()
    machine.paused()
    expectEqual(machine.peerEnded(hasInput: true, hasOutput: true), .free(.peerVanished), "the end of the socket does not wait")
    expectEqual(machine.peerSaidEnd(hasInput: false, hasOutput: true), .free(.peerVanished), "nothing is kept")
    expectEqual(machine.peerSaidEnd(hasInput: true, hasOutput: true), .nothing, "some is kept")
    expect(!machine.endIsDue && machine.isWebSocket, "not yet")
    expectEqual(machine.watch, .ends, "nothing more comes")
    expectEqual(machine.ready(.hangup), .free(.peerVanished), "unless the socket breaks")
    expect(machine.resumed() && !machine.endIsDue, "not yet")
    expectEqual(machine.watch, .ends, "still")
    expect(machine.flushBegan() && machine.endIsDue, "when it is gone through")
    var again = machine
    again.paused()
    expect(!again.endIsDue && again.resumed() && again.flushBegan() && again.endIsDue, "in several steps")
    expectEqual(machine.peerSaidEnd(hasInput: true, hasOutput: true), .free(.peerVanished), "the end within a frame")
    _ = again.left(because: .clientClosed)
    expect(!again.endIsDue, "with a close frame it leaves")
    expectEqual(again.sentAll(), .free(.clientClosed), "and waits for nobody")
  }

  @Test func `a TLS socket waits for its turns, then reads requests, and decrypts as long as something counts`() {
    var machine = ConnectionMachine(mayBeProxied: true, speaksTLS: true)
    expectEqual(machine.input, .proxyHeader, "a header of the PROXY protocol comes before TLS")
    expect(!machine.readsCiphertext && !machine.isSecuring, "in plain text")
    expectEqual(machine.ready(.readable), .receive, "read at once")
    expect(!machine.turnWanted(), "no handshake yet")
    machine.proxyHeaderPassed()
    expectEqual(machine, ConnectionMachine(speaksTLS: true), "then as without one")

    expectEqual(machine.input, .ciphertext)
    expect(machine.isSecuring && machine.readsCiphertext && machine.isHTTP && !machine.readsRequests, "the handshake")
    expectEqual(machine.ready(.readable), .awaitTurn, "not read at once")
    expect(machine.turnWanted() && !machine.turnWanted(), "in the queue once")
    expectEqual(machine.watch, [], "and not watched meanwhile")
    expectEqual(machine.ready([.hangup, .readable]), .free(.peerVanished), "a peer that is gone")
    expect(machine.turnCame(), "a turn")
    expectEqual(machine.watch, .reads, "the next one")
    expectEqual(machine.drained(), .nothing, "an idle one goes last")
    expect(!machine.upgraded(), "nothing can be answered")
    expectEqual(machine.answered(isRefusal: false, keepsAlive: true), .nothing, "nothing can be answered")
    for (hasInput, cause) in [(false, CloseCause.peerVanished), (true, .handshakeFailed)] {
      expectEqual(machine.peerEnded(hasInput: hasInput, hasOutput: false), .free(cause), "the peer ends")
      expectEqual(machine.timeReached(hasInput: hasInput), .free(.handshakeTimeout), "nobody to answer")
    }

    var failed = machine
    _ = failed.turnWanted()
    expect(failed.left(because: .tlsFailed), "leaves with an alert")
    expect(!failed.turnCame() && !failed.secured() && !failed.readsCiphertext && failed.isLeaving, "no turn any more")
    var ended = machine
    expectEqual(ended.ended(because: .drained), .drained)
    expect(!ended.turnWanted() && !ended.turnCame(), "ended")

    expect(machine.secured() && !machine.secured(), "done once")
    expectEqual(machine.ready(.readable), .receive, "read at once from now on")
    expectEqual(machine.timeReached(hasInput: true), .refuseRequest, "the first request")
    expect(machine.readsCiphertext && machine.readsRequests, "requests")
    machine.requestWaits()
    expect(machine.readsCiphertext, "an answer is awaited")
    expect(machine.upgraded() && machine.readsCiphertext && !machine.isLeaving, "frames")
    _ = machine.left(because: .drained)
    expect(!machine.readsCiphertext && machine.isLeaving, "what is discarded is not decrypted")
  }
}
