import TestSupport
import Testing
import WebSocketProtocol

/// The closing handshake and what is sent (`WebSocketMachine+Sending.swift`).
@Suite struct WebSocketMachineClosingTests {
  private let sides: [Role] = [.server, .client]

  private func receiver(_ role: Role) -> Receiver {
    Receiver(WebSocketMachine(role: role, limits: MessageLimits(maxMessageBytes: 1_000)))
  }

  private func body(_ code: UInt16, _ reason: String = "") -> [UInt8] { [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8) }

  @Test func `the peer closes and its code comes back once`() {
    for role in sides {
      let key = role == .client ? testKey : nil
      let rows: [(sent: [UInt8], code: CloseCode?, reason: String, reply: [UInt8])] = [
        ([], nil, "", []), (body(1000, "bye ä"), .normal, "bye ä", body(1000)), (body(1001), .goingAway, "", body(1001)),
        (body(4999, String(repeating: "x", count: 123)), CloseCode(rawValue: 4999), String(repeating: "x", count: 123), body(4999)),
      ]
      for row in rows {
        let close = frame(to: role, .close, row.sent)
        let event = Event.closeReceived(row.code, Array(row.reason.utf8))
        expectEvents(close + frame(to: role, "dropped"), [event], "\(row.sent)", machine: receiver(role).machine)
        var receiver = receiver(role)
        receiver.receive(frame(to: role, .text, [0x61], isFinal: false) + close)
        expect(!receiver.machine.isOpen && !receiver.machine.isClosed, "the reply is owed")
        expectEqual(receiver.machine.frame(.text, [1]), [], "no data follows")
        expectEqual(receiver.machine.closeReply(maskKey: testKey), FrameEncoder.frame(.close, row.reply, maskKey: key), "\(row.sent)")
        expect(receiver.machine.isClosed, "closed")
        expectEqual(receiver.machine.closeReply(), [], "a second reply")
        expectEqual(receiver.machine.close(.normal), [], "a close behind the reply")
        receiver.receive(close)
        expectEqual(receiver.events, [event], "nothing is heard any more")
      }
    }
  }

  @Test func `every code that may be sent is taken`() {
    for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999] as [UInt16] {
      expectEvents(
        frame(to: .server, .close, body(code)), [.closeReceived(CloseCode(rawValue: code), [])], "\(code)",
        machine: receiver(.server).machine)
    }
  }

  @Test func `we close, and data is passed over until the peer answers`() {
    for role in sides {
      var receiver = receiver(role)
      receiver.receive(frame(to: role, .text, [0x61], isFinal: false) + frame(to: role, .continuation, [0x62, 0x63, 0x64]).dropLast(2))
      let key = role == .client ? testKey : nil
      let close = receiver.machine.close(.tokenExpired, reason: "later", maskKey: testKey)
      expectEqual(close, FrameEncoder.frame(.close, body(4001, "later"), maskKey: key))
      expectEqual(receiver.machine.close(.normal), [], "once only")
      expectEqual(receiver.machine.closeReply(), [], "nothing to reply to")
      expect(!receiver.machine.isOpen && !receiver.machine.isClosed, "waiting")
      receiver.receive([0xFF, 0xFF] + frame(to: role, .binary, Array(repeating: 0, count: 70_000)))
      receiver.receive(
        frame(to: role, .text, [0xFF]) + frame(to: role, .continuation, []) + frame(to: role, .ping, [1]) + frame(to: role, .pong, []))
      expectEqual(receiver.events, [], "data behind our close")
      receiver.receive(frame(to: role, .close, body(1000, "ok")) + [0xFF])
      expectEqual(receiver.events, [.closeCompleted(.normal, Array("ok".utf8))])
      expect(receiver.machine.isClosed, "closed")
      expectEqual(receiver.rest, [], "the rest is dropped")
    }
  }

  @Test func `a violation is answered once, and not behind our close`() {
    var failing = receiver(.server)
    failing.receive([0xFF])
    expectEqual(failing.machine.closeReply(), FrameEncoder.frame(.close, []), "an answer without a code")
    failing = receiver(.server)
    failing.receive([0xFF])
    let violation = ProtocolViolation.reservedBit
    expectEqual(
      failing.machine.close(violation.closeCode, reason: violation.reason), FrameEncoder.frame(.close, body(1002, violation.reason)))
    expect(failing.machine.isClosed, "closed")
    var closing = receiver(.server)
    expect(!closing.machine.close(.normal).isEmpty, "our close")
    closing.receive([0xFF])
    expectEqual(closing.events, [.fail(.reservedBit)])
    expectEqual(closing.machine.close(.protocolError), [], "nothing behind our close")
    expect(closing.machine.isClosed, "closed")
  }

  @Test func `what is sent keeps within the bounds of control frames`() {
    for role in sides {
      let key = role == .client ? testKey : nil
      var machine = receiver(role).machine
      expectEqual(machine.frame(.text, [1, 2], maskKey: testKey), FrameEncoder.frame(.text, [1, 2], maskKey: key))
      expectEqual(machine.frame(.ping, maskKey: testKey), FrameEncoder.frame(.ping, [], maskKey: key))
      let long = Array(repeating: UInt8(7), count: 126)
      expectEqual(machine.frame(.pong, long, maskKey: testKey), FrameEncoder.frame(.pong, Array(long.prefix(125)), maskKey: key))
      expectEqual(machine.frame(.binary, long, maskKey: testKey), FrameEncoder.frame(.binary, long, maskKey: key))
      let reason = String(repeating: "é", count: 70)
      expectEqual(
        machine.close(.normal, reason: reason, maskKey: testKey),
        FrameEncoder.frame(.close, body(1000, String(repeating: "é", count: 61)), maskKey: key))
      machine = receiver(role).machine
      for code in [1005, 1006, 1015, 0] as [UInt16] {
        machine = receiver(role).machine
        expectEqual(
          machine.close(CloseCode(rawValue: code), reason: "x", maskKey: testKey), FrameEncoder.frame(.close, [], maskKey: key), "\(code)")
      }
    }
  }

  @Test func `two machines understand each other`() {
    var server = receiver(.server)
    var client = receiver(.client)
    server.receive(client.machine.frame(.text, Array("hi".utf8), maskKey: 5))
    client.receive(server.machine.frame(.binary, [1]))
    client.receive(server.machine.close(.serviceRestart, reason: "drain"))
    server.receive(client.machine.closeReply(maskKey: 6))
    expectEqual(server.events, [.text("hi"), .closeCompleted(.serviceRestart, [])])
    expectEqual(client.events, [.message(.binary, [1]), .closeReceived(.serviceRestart, Array("drain".utf8))])
    expect(server.machine.isClosed && client.machine.isClosed, "both closed")
  }
}
