import TestSupport
import Testing
import WebSocketProtocol

/// What a connection saw, with payloads in place of ranges.
enum Event: Equatable {
  case message(Opcode, [UInt8])
  case compressed(Opcode, [UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case closeReceived(CloseCode?, [UInt8])
  case closeCompleted(CloseCode?, [UInt8])
  case fail(ProtocolViolation)

  static func text(_ text: String) -> Event { .message(.text, Array(text.utf8)) }
}

/// A connection as the shell keeps it: a machine and the unfinished rest of the last read.
struct Receiver {
  var machine: WebSocketMachine
  private(set) var rest: [UInt8] = []
  private(set) var events: [Event] = []

  init(_ machine: WebSocketMachine) {
    self.machine = machine
  }

  /// Hands one read to the machine, as the shell does.
  mutating func receive(_ chunk: some Collection<UInt8>) {
    var buffer = rest + chunk
    let used = buffer.withUnsafeMutableBytes { bytes in
      var offset = 0
      while true {
        let action = machine.next(bytes, &offset)
        if action == .needMore { return offset }
        perform(action, UnsafeRawBufferPointer(bytes))
      }
    }
    rest = Array(buffer[used...])
    expect(rest.count <= 131, "an unfinished rest of \(rest.count) bytes")
  }

  private mutating func perform(_ action: WebSocketMachine.Action, _ bytes: UnsafeRawBufferPointer) {
    switch action {
    case .needMore, .consumed: break
    case .message(let opcode, let payload): events.append(.message(opcode, Array(bytes[payload])))
    case .assembled(let opcode): events.append(.message(opcode, machine.takeAssembled()))
    case .compressed(let opcode, let payload): events.append(.compressed(opcode, Array(bytes[payload])))
    case .compressedAssembled(let opcode): events.append(.compressed(opcode, machine.takeAssembled()))
    case .ping(let payload): events.append(.ping(Array(bytes[payload])))
    case .pong(let payload): events.append(.pong(Array(bytes[payload])))
    case .closeReceived(let code, let reason): events.append(.closeReceived(code, Array(bytes[reason])))
    case .closeCompleted(let code, let reason): events.append(.closeCompleted(code, Array(bytes[reason])))
    case .fail(let violation): events.append(.fail(violation))
    }
  }
}

/// Delivers bytes whole, byte by byte and cut in two at every place, and demands the same events each time.
func expectEvents(
  _ bytes: [UInt8], _ expected: [Event], _ name: String, machine: WebSocketMachine, at location: SourceLocation = #_sourceLocation
) {
  func check(_ chunks: [ArraySlice<UInt8>], _ delivery: String) {
    var receiver = Receiver(machine)
    for chunk in chunks { receiver.receive(chunk) }
    expectEqual(receiver.events, expected, "\(name), \(delivery)", at: location)
  }
  check([bytes[...]], "whole")
  check(bytes.indices.map { bytes[$0...$0] }, "byte by byte")
  let cuts = bytes.count <= 300 ? Array(bytes.indices) : [1, 2, 3, 5, 9, 13, 14, 15, bytes.count / 2, bytes.count - 1]
  for cut in cuts { check([bytes[..<cut], bytes[cut...]], "cut at \(cut)") }
}

/// Random numbers that are the same in each run (SplitMix64).
struct FixedGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The key of the masked frames in the tests.
let testKey: UInt32 = 0x3D21_FA37

/// A frame as the peer of this side sends it.
func frame(to role: Role, _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
  FrameEncoder.frame(opcode, payload, isFinal: isFinal, maskKey: role == .server ? testKey : nil)
}

/// A text frame as the peer of this side sends it.
func frame(to role: Role, _ text: String) -> [UInt8] {
  frame(to: role, .text, Array(text.utf8))
}
