import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct ConnectionTransferTests {
  @Test func `a body is read while it is wanted, and its answer comes behind it`() {
    var machine = ConnectionMachine()
    machine.requestWaits()
    expect(machine.bodyWanted() && !machine.bodyWanted(), "once")
    expectEqual(machine.input, .kept, "what came with the head first")
    expect(machine.flushBegan(), "at the next flush")
    expectEqual(machine.input, .body, "the body")
    expectEqual(machine.watch, .reads, "its socket is read")
    machine.paused()
    expectEqual(machine.input, .kept, "the disk is waited for")
    expectEqual(machine.watch, .ends, "its going is news")
    expectEqual(machine.ready([.peerClosed]), .free(.peerVanished), "it went")
    expect(machine.resumed() && machine.flushBegan(), "what was kept comes next")
    expectEqual(machine.peerEnded(hasInput: true, hasOutput: false), .free(.peerVanished), "half a body")
    expectEqual(machine.timeReached(hasInput: true), .checkTransfer, "time")
    expectEqual(machine.drained(), .refuseRequest, "the gateway stops")
    expect(machine.isHTTP && !machine.readsRequests && !machine.yielded(), "a request")
    machine.paused()
    machine.bodyEnded()
    expect(!machine.isPaused, "nothing is paused")
    expectEqual(machine.input, .kept, "what follows waits")
    machine.bodyEnded()
    expectEqual(machine.answered(isRefusal: false, keepsAlive: true), .readOn, "the answer")
    expect(machine.flushBegan(), "what followed comes next")
    expectEqual(machine.input, .requests, "another request")
  }

  @Test func `a body may be refused before its end`() {
    var machine = ConnectionMachine(speaksTLS: true)
    _ = machine.secured()
    expect(machine.bodyWanted() && machine.readsCiphertext, "behind its head")
    expectEqual(machine.answered(isRefusal: true, keepsAlive: false), .leave(.requestRefused), "refused")
    expect(machine.left(because: .requestRefused), "it goes")
    expectEqual(machine.input, .discarded, "the rest is discarded")
    expect(!machine.bodyWanted() && !machine.answerBegan(), "it is over")
  }

  @Test func `an answer comes in pieces, and nothing is read meanwhile`() {
    for waits in [true, false] {
      var machine = ConnectionMachine()
      if waits { machine.requestWaits() }
      expect(machine.answerBegan() && !machine.answerBegan() && machine.isAnswering, "once")
      expectEqual(machine.input, .kept, "what follows waits")
      expectEqual(machine.watch, .ends, "its going is news")
      expectEqual(machine.ready([.peerClosed]), .free(.peerVanished), "it went")
      expectEqual(machine.timeReached(hasInput: false), .checkTransfer, "time")
      expectEqual(machine.drained(), .nothing, "it may finish")
      expect(machine.isHTTP && machine.queued(), "something is sent")
      _ = machine.flushBegan()
      expectEqual(machine.answered(isRefusal: false, keepsAlive: true), .readOn, "its end")
      expect(machine.flushBegan() && !machine.isAnswering, "what followed comes next")
    }
  }
}
