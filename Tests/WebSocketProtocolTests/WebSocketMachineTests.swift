import TestSupport
import Testing
import WebSocketProtocol

@Suite struct WebSocketMachineTests {
  private let sides: [Role] = [.server, .client]

  private func machine(_ role: Role, bytes: Int = 1 << 20, fragments: Int = 64) -> WebSocketMachine {
    WebSocketMachine(role: role, limits: MessageLimits(maxMessageBytes: bytes, maxFragments: fragments))
  }

  @Test func `messages and control frames arrive whole, however they are cut`() {
    for role in sides {
      func send(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        frame(to: role, opcode, payload, isFinal: isFinal)
      }
      let long = (0..<200).map { UInt8($0) }
      let euro = Array("€".utf8)
      let rows: [(String, [UInt8], [Event])] = [
        ("text", frame(to: role, "Hello"), [.text("Hello")]),
        ("empty text", frame(to: role, ""), [.text("")]),
        ("text of 126 bytes", frame(to: role, String(repeating: "é", count: 63)), [.text(String(repeating: "é", count: 63))]),
        ("binary that is no UTF-8", send(.binary, long), [.message(.binary, long)]),
        ("two messages", frame(to: role, "a") + send(.binary, [0xFF]), [.text("a"), .message(.binary, [0xFF])]),
        (
          "fragments", send(.text, [0x61], isFinal: false) + send(.continuation, [0x62], isFinal: false) + send(.continuation, [0x63]),
          [.text("abc")]
        ),
        ("a scalar over two fragments", send(.text, [euro[0]], isFinal: false) + send(.continuation, [euro[1], euro[2]]), [.text("€")]),
        (
          "empty fragments", send(.text, [], isFinal: false) + send(.continuation, [], isFinal: false) + send(.continuation, []),
          [.text("")]
        ),
        (
          "control frames between fragments",
          send(.binary, [1], isFinal: false) + send(.ping, [7]) + send(.pong, []) + send(.continuation, [2]) + frame(to: role, "x"),
          [.ping([7]), .pong([]), .message(.binary, [1, 2]), .text("x")]
        ),
        ("ping of 125 bytes", send(.ping, Array(long.prefix(125))), [.ping(Array(long.prefix(125)))]),
        ("unasked pongs", send(.pong, [1]) + send(.pong, [2]), [.pong([1]), .pong([2])]),
      ]
      for (name, bytes, events) in rows { expectEvents(bytes, events, "\(name), \(role)", machine: machine(role)) }
    }
  }

  @Test func `what was whole before a violation is delivered, and nothing behind it`() {
    for role in sides {
      func send(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        frame(to: role, opcode, payload, isFinal: isFinal)
      }
      let mask: UInt8 = role == .server ? 0x80 : 0
      let start = send(.text, [0x61], isFinal: false)
      var rows: [(String, [UInt8], ProtocolViolation)] = [
        ("RSV1", [0xC1], .reservedBit), ("RSV2", [0xA1], .reservedBit), ("RSV3", [0x91], .reservedBit),
        ("RSV1 on a ping", [0xC9], .reservedBit),
        ("RSV1 on a continuation", start + [0xC0], .reservedBit), ("RSV bits and a bad opcode", [0xF3], .reservedBit),
        ("wrong masking", [0x81, (mask ^ 0x80) | 1], role == .server ? .unmaskedFrame : .maskedFrame),
        ("fragmented ping", [0x09], .fragmentedControlFrame), ("fragmented close", [0x08], .fragmentedControlFrame),
        ("ping of 126 bytes", [0x89, mask | 126], .longControlFrame),
        ("close with a 64-bit length", [0x88, mask | 127], .longControlFrame),
        ("126-form of 125", [0x82, mask | 126, 0, 125], .malformedLength), ("126-form of 0", [0x82, mask | 126, 0, 0], .malformedLength),
        ("127-form of 65535", [0x82, mask | 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .malformedLength),
        ("127-form, top bit", [0x82, mask | 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .malformedLength),
        ("127-form, all bits", [0x82, mask | 127] + Array(repeating: 0xFF, count: 8), .malformedLength),
        ("2^63 - 1 bytes", [0x82, mask | 127, 0x7F] + Array(repeating: 0xFF, count: 7) + [0, 0, 0, 0], .messageTooBig(limit: 1 << 20)),
        ("1 GiB announced", [0x82, mask | 127, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0], .messageTooBig(limit: 1 << 20)),
        ("continuation without start", send(.continuation, [1]), .unexpectedContinuation),
        ("continuation behind a whole message", frame(to: role, "a") + send(.continuation, []), .unexpectedContinuation),
        ("text inside fragments", start + frame(to: role, "b"), .unfinishedMessage),
        ("binary inside fragments", start + send(.binary, []), .unfinishedMessage),
        ("close of one byte", send(.close, [3]), .shortCloseBody), ("close reason", send(.close, [3, 0xE8, 0xFF]), .invalidCloseReason),
        ("unfinished close reason", send(.close, [3, 0xE8, 0xC3]), .invalidCloseReason),
        ("bad UTF-8", send(.text, Array("ab".utf8) + [0xFF]), .invalidText), ("surrogate", send(.text, [0xED, 0xA0, 0x80]), .invalidText),
        ("text that ends inside a scalar", send(.text, [0xE2, 0x82]), .invalidText),
        ("fragments that end inside a scalar", start + send(.continuation, [0xE2]), .invalidText),
        ("a scalar cut by an empty end", send(.text, [0xE2], isFinal: false) + send(.continuation, []), .invalidText),
        ("bad UTF-8 in a fragment", start + send(.continuation, [0x62, 0xFF, 0x63], isFinal: false), .invalidText),
        ("bad UTF-8 over two fragments", send(.text, [0xF4], isFinal: false) + send(.continuation, [0x90], isFinal: false), .invalidText),
      ]
      for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8] { rows.append(("opcode \(opcode)", [0x80 | opcode], .unknownOpcode)) }
      for code in [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16] {
        rows.append(("close code \(code)", send(.close, [UInt8(code >> 8), UInt8(code & 0xFF)]), .invalidCloseCode))
      }
      for (name, bytes, violation) in rows {
        var before: [Event] = [.text("first")]
        if name == "continuation behind a whole message" { before.append(.text("a")) }
        expectEvents(
          frame(to: role, "first") + bytes + frame(to: role, "dropped"), before + [.fail(violation)], "\(name), \(role)",
          machine: machine(role))
      }
    }
  }

  @Test func `a violation is reported with the byte that makes it one`() {
    let rows: [(String, [UInt8])] = [
      ("reserved bit", [0xC1]), ("no mask", [0x81, 0x01]), ("long ping", [0x89, 0xFE]), ("length", [0x82, 0xFE, 0, 125]),
      (
        "text in a frame of 1,000 bytes",
        Array(frame(to: .server, .text, [0x61, 0xC3, 0x28] + Array(repeating: 0x61, count: 997)).prefix(11))
      ),
      ("text in a frame of four", Array(frame(to: .server, .text, [0x61, 0xFF, 0x61, 0x61]).prefix(8))),
      ("text in a first fragment", Array(frame(to: .server, .text, [0xF4, 0x90, 0x80, 0x80], isFinal: false).prefix(8))),
    ]
    for (name, bytes) in rows {
      var receiver = Receiver(machine(.server))
      receiver.receive(bytes.dropLast())
      expectEqual(receiver.events, [], "\(name), a byte before")
      receiver.receive(bytes.suffix(1))
      expectEqual(receiver.events.count, 1, name)
    }
  }

  @Test func `limits hold at the byte and the fragment`() {
    func message(_ sizes: [Int]) -> [UInt8] {
      sizes.indices.flatMap { index in
        frame(
          to: .server, index == 0 ? .binary : .continuation, Array(repeating: 9, count: sizes[index]), isFinal: index == sizes.count - 1)
      }
    }
    let tooBig = [Event.fail(.messageTooBig(limit: 300))]
    let tooMany = [Event.fail(.tooManyFragments(limit: 5))]
    let rows: [([Int], [Event]?)] = [
      ([300], nil), ([301], tooBig), ([299, 1], nil), ([299, 2], tooBig), ([150, 0, 150, 0, 0], nil), ([0, 0, 0, 0, 0, 0], tooMany),
      ([1, 1, 1, 1, 1], nil), ([1, 1, 1, 1, 1, 1], tooMany), ([300, 0, 1], tooBig), (Array(repeating: 0, count: 100), tooMany),
    ]
    for (sizes, failure) in rows {
      let events = failure ?? [.message(.binary, Array(repeating: 9, count: sizes.reduce(0, +)))]
      expectEvents(message(sizes), events, "\(sizes)", machine: machine(.server, bytes: 300, fragments: 5))
    }
    var overflowing = message([100, 0])
    overflowing = Array(overflowing.dropLast(6)) + [0x00, 0xFF, 0x7F] + Array(repeating: 0xFF, count: 7) + [0, 0, 0, 0]
    expectEvents(overflowing, tooBig, "sizes that sum past 2^63", machine: machine(.server, bytes: 300))
  }

  @Test func `limits can change between messages and inside one`() {
    var receiver = Receiver(machine(.server, bytes: 4))
    receiver.receive(frame(to: .server, "1234"))
    receiver.machine.setLimits(MessageLimits(maxMessageBytes: 8))
    receiver.receive(frame(to: .server, "12345678") + frame(to: .server, .text, [0x61, 0x62], isFinal: false))
    receiver.machine.setLimits(MessageLimits(maxMessageBytes: 1))
    receiver.receive(frame(to: .server, .continuation, []))
    expectEqual(receiver.events, [.text("1234"), .text("12345678"), .fail(.messageTooBig(limit: 1))])
    for bytes in [-1, 0, Int.min, Int.max] {
      var receiver = Receiver(machine(.server, bytes: bytes, fragments: bytes))
      receiver.receive(frame(to: .server, .text, [0x61], isFinal: false) + frame(to: .server, .continuation, [0x62]))
      expectEqual(receiver.events, bytes == .max ? [.text("ab")] : [.fail(.messageTooBig(limit: 0))], "limits of \(bytes)")
    }
  }

  @Test func `a message far larger than a read is put together`() {
    for role in sides {
      let text = String(repeating: "Привет 😀 ", count: 60_000)
      let bytes = frame(to: role, text) + frame(to: role, "next")
      for size in [1_000, 4_096, 65_536] {
        var receiver = Receiver(machine(role, bytes: 2 << 20))
        for start in stride(from: 0, to: bytes.count, by: size) { receiver.receive(bytes[start..<min(start + size, bytes.count)]) }
        expect(receiver.events == [.text(text), .text("next")], "reads of \(size), \(role)")
      }
    }
  }

  @Test func `random messages come out as they went in`() {
    var generator = FixedGenerator(seed: 1)
    for round in 0..<100 {
      let role = sides[round % 2]
      var bytes: [UInt8] = []
      var events: [Event] = []
      for _ in 0..<Int.random(in: 1...8, using: &generator) { appendMessage(to: role, &bytes, &events, &generator) }
      var receiver = Receiver(machine(role))
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...(Bool.random(using: &generator) ? 5 : 700), using: &generator)
        receiver.receive(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      expect(receiver.events == events, "round \(round): \(receiver.events.count) events of \(events.count)")
    }
  }

  private func appendMessage(to role: Role, _ bytes: inout [UInt8], _ events: inout [Event], _ generator: inout FixedGenerator) {
    let isText = Bool.random(using: &generator)
    let count = Int.random(in: 0...[3, 130, 70_000][Int.random(in: 0...20, using: &generator) / 10], using: &generator)
    let scalars: [Unicode.Scalar] = ["a", "é", "漢", "😀"]
    let text = String(String.UnicodeScalarView((0..<count).map { _ in scalars[Int.random(in: 0..<4, using: &generator)] }))
    let payload = isText ? Array(text.utf8) : (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var rest = payload[...]
    var opcode: Opcode = isText ? .text : .binary
    var isFinal = false
    while !isFinal {
      isFinal = Int.random(in: 0..<3, using: &generator) > 0
      let piece = isFinal ? rest : rest.prefix(Int.random(in: 0...rest.count, using: &generator))
      let key = role == .server ? UInt32.random(in: 0...UInt32.max, using: &generator) : nil
      bytes += FrameEncoder.frame(opcode, Array(piece), isFinal: isFinal, maskKey: key)
      rest = rest.dropFirst(piece.count)
      opcode = .continuation
      if !isFinal, Bool.random(using: &generator) {
        bytes += frame(to: role, .ping, [1, 2])
        events.append(.ping([1, 2]))
      }
    }
    events.append(.message(isText ? .text : .binary, payload))
  }

  @Test func `random bytes never trap and end the same way however they are cut`() {
    var generator = FixedGenerator(seed: 7)
    for round in 0..<2_000 {
      var bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bytes[0] &= 0x8F
      if bytes.count > 1, round % 2 == 0 { bytes[1] = 0x80 | bytes[1] & 0x0F }
      var whole = Receiver(machine(.server, bytes: 1_000))
      whole.receive(bytes)
      var single = Receiver(machine(.server, bytes: 1_000))
      for byte in bytes { single.receive([byte]) }
      expectEqual(whole.events, single.events, "\(bytes)")
    }
  }

  @Test func `an idle connection is small`() {
    expect(MemoryLayout<WebSocketMachine>.size <= 80, "\(MemoryLayout<WebSocketMachine>.size) bytes")
    expect(MemoryLayout<WebSocketMachine.Action>.size <= 32, "an action has \(MemoryLayout<WebSocketMachine.Action>.size) bytes")
  }

  @Test func `an offset outside the bytes asks for more`() {
    for start in [3, 4, 100, -1] {
      var machine = machine(.server)
      var offset = start
      var bytes: [UInt8] = [0x81, 0x80, 0]
      expectEqual(bytes.withUnsafeMutableBytes { machine.next($0, &offset) }, .needMore, "offset \(start)")
    }
  }
}
