import TestSupport
import Testing

@testable import WebSocketProtocol

@Suite struct WebSocketMachineCompressionTests {
  private let sides: [Role] = [.server, .client]
  private let limit = 1_000

  private func machine(_ role: Role, allowsCompression: Bool = true) -> WebSocketMachine {
    WebSocketMachine(
      role: role, limits: MessageLimits(maxMessageBytes: limit, maxFragments: 4), allowsCompression: allowsCompression)
  }

  private func send(
    to role: Role, _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false
  ) -> [UInt8] {
    FrameEncoder.frame(opcode, payload, isFinal: isFinal, isCompressed: isCompressed, maskKey: role == .server ? testKey : nil)
  }

  @Test func `compressed messages arrive whole, their bytes not looked at, however they are cut`() {
    for role in sides {
      func first(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        send(to: role, opcode, payload, isFinal: isFinal, isCompressed: true)
      }
      func next(_ payload: [UInt8], isFinal: Bool = true) -> [UInt8] { send(to: role, .continuation, payload, isFinal: isFinal) }
      let noText: [UInt8] = [0xFF, 0xC0, 0x80, 0xED]
      let rows: [(String, [UInt8], [Event])] = [
        ("text", first(.text, noText), [.compressed(.text, noText)]), ("binary", first(.binary, [7]), [.compressed(.binary, [7])]),
        ("empty", first(.text, []), [.compressed(.text, [])]),
        (
          "fragments, a ping between",
          first(.text, noText, isFinal: false) + send(to: role, .ping, [1]) + next([], isFinal: false) + next([2]),
          [.ping([1]), .compressed(.text, noText + [2])]
        ),
        ("plain behind compressed", first(.text, noText) + frame(to: role, "a"), [.compressed(.text, noText), .text("a")]),
        (
          "plain fragments behind compressed ones",
          first(.binary, [], isFinal: false) + next(noText)
            + send(to: role, .text, [0x61], isFinal: false) + next([0x62]), [.compressed(.binary, noText), .text("ab")]
        ),
        (
          "a bad plain text is still found", first(.text, noText) + send(to: role, .text, [0xFF]),
          [.compressed(.text, noText), .fail(.invalidText)]
        ),
        (
          "a bad plain fragment as well", send(to: role, .text, [0x61, 0xFF], isFinal: false), [.fail(.invalidText)]
        ),
      ]
      for (name, bytes, events) in rows { expectEvents(bytes, events, "\(name), \(role)", machine: machine(role)) }
    }
  }

  @Test func `RSV1 stands on the first frame of a message, and only where that was agreed on`() {
    for role in sides {
      let start = send(to: role, .text, [1], isFinal: false, isCompressed: true)
      let rows: [(String, [UInt8], ProtocolViolation)] = [
        ("a continuation", start + send(to: role, .continuation, [], isCompressed: true), .reservedBit),
        ("a ping", send(to: role, .ping, [], isCompressed: true), .reservedBit),
        ("a pong", send(to: role, .pong, [], isCompressed: true), .reservedBit),
        ("a close", send(to: role, .close, [3, 0xE8], isCompressed: true), .reservedBit),
        ("RSV2 as well", [0xE1], .reservedBit), ("RSV3 as well", [0xD1], .reservedBit),
        ("a new message", start + send(to: role, .text, [], isCompressed: true), .unfinishedMessage),
        ("a continuation of nothing", send(to: role, .continuation, []), .unexpectedContinuation),
        (
          "too many fragments",
          start + send(to: role, .continuation, [], isFinal: false)
            + send(to: role, .continuation, [], isFinal: false) + send(to: role, .continuation, [], isFinal: false)
            + send(to: role, .continuation, []), .tooManyFragments(limit: 4)
        ),
      ]
      for (name, bytes, violation) in rows { expectEvents(bytes, [.fail(violation)], "\(name), \(role)", machine: machine(role)) }
      expectEvents(start, [.fail(.reservedBit)], "not agreed on", machine: machine(role, allowsCompression: false))
    }
  }

  @Test func `the bytes of a compressed message are bounded, over all fragments`() {
    let most = MessageLimits(maxMessageBytes: limit).maxCompressedBytes
    expect((limit + limit / 8..<limit * 5 / 4).contains(most), "\(most) bytes")
    expectEqual(MessageLimits(maxMessageBytes: .max).maxCompressedBytes, .max)
    for role in sides {
      for (size, fits) in [(limit, true), (limit + 1, true), (most, true), (most + 1, false)] {
        let payload = [UInt8](repeating: 0x55, count: size)
        let whole = send(to: role, .binary, payload, isCompressed: true)
        let cut =
          send(to: role, .binary, Array(payload[..<(size - 10)]), isFinal: false, isCompressed: true)
          + send(to: role, .continuation, Array(payload[(size - 10)...]))
        let event: Event = fits ? .compressed(.binary, payload) : .fail(.messageTooBig(limit: limit))
        for bytes in [whole, cut] { expectEvents(bytes, [event], "\(size) bytes, \(role)", machine: machine(role)) }
      }
      var receiver = Receiver(machine(role))
      receiver.receive(send(to: role, .text, [UInt8](repeating: 0x61, count: limit + 1)))
      expectEqual(receiver.events, [.fail(.messageTooBig(limit: limit))], "a plain one keeps its own bound")
    }
    var machine = machine(.server)
    expectEqual(machine.maxMessageBytes, limit)
    machine.setLimits(MessageLimits(maxMessageBytes: 5))
    expectEqual(machine.maxMessageBytes, 5)
  }

  @Test func `what came out of a text is checked, of a binary message not`() {
    let rows: [(Opcode, [UInt8], ProtocolViolation?)] = [
      (.text, Array("Привет".utf8), nil), (.text, [], nil), (.text, [0x61, 0xFF], .invalidText), (.text, [0xE2, 0x82], .invalidText),
      (.binary, [0x61, 0xFF], nil),
    ]
    for (opcode, message, violation) in rows {
      expectEqual(message.withUnsafeBytes { WebSocketMachine.checkInflated(opcode, $0) }, violation, "\(opcode) \(message)")
    }
  }

  @Test func `while our close awaits its answer compressed data is skipped`() {
    for role in sides {
      var machine = machine(role)
      expect(!machine.close(.normal).isEmpty, "a close frame")
      let data =
        send(to: role, .text, [0xFF], isCompressed: true) + send(to: role, .binary, [1], isFinal: false, isCompressed: true)
        + send(to: role, .continuation, [2])
      expectEvents(data + send(to: role, .close, [3, 0xE8]), [.closeCompleted(.normal, [])], "\(role)", machine: machine)
    }
  }
}
