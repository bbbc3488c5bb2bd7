import TestSupport
import Testing

@testable import Observability

@Test func `each cause has its own label and the close code of the protocol`() {
  let labels = CloseCause.allCases.map(\.label)
  expectEqual(Set(labels).count, labels.count, "labels differ")
  for (index, cause) in CloseCause.allCases.enumerated() {
    expectEqual(Int(cause.rawValue), index, "raw values are indexes")
    expect(cause.label.allSatisfy { ("a"..."z").contains($0) || $0 == "_" }, cause.label)
    let spelled = "\(cause)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    expectEqual(cause.label, spelled, "the label is the case's name")
  }
  let codes: [CloseCause: UInt16] = [
    .sessionClosed: 1000, .protocolViolation: 1002, .binaryRefused: 1003, .invalidText: 1007, .badCompression: 1007,
    .tooBig: 1009, .internalError: 1011,
    .drained: 1012, .overloaded: 1013, .authTimeout: 4000, .tokenExpired: 4001, .badToken: 4002, .revoked: 4003, .slowReader: 4100,
    .rateLimited: 4101, .tooManyConnections: 4102,
  ]
  for cause in CloseCause.allCases { expectEqual(cause.closeCode, codes[cause], cause.label) }
}
