import TestSupport
import Testing
import WebSocketProtocol

@Suite struct OpcodeTests {
  @Test func `data and control frames are told apart`() {
    let known: [UInt8: (isControl: Bool, beginsMessage: Bool)] = [
      0: (false, false), 1: (false, true), 2: (false, true), 8: (true, false), 9: (true, false), 10: (true, false),
    ]
    for value in UInt8(0)...15 {
      let opcode = Opcode(rawValue: value)
      expectEqual(opcode?.isControl, known[value]?.isControl, "\(value)")
      expectEqual(opcode?.beginsMessage, known[value]?.beginsMessage, "\(value)")
    }
  }
}
