import TestSupport
import Testing

@testable import Observability

@Test func `each reason to turn a connection away has its own label`() {
  for (index, reason) in ConnectionRefusal.allCases.enumerated() {
    expectEqual(Int(reason.rawValue), index, "raw values are indexes")
    let spelled = "\(reason)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    expectEqual(reason.label, spelled, "the label is the case's name")
  }
}
