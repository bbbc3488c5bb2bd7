import TestSupport
import Testing

@testable import Gateway

@Test func `places are given back once, and sockets beyond the limit hold none`() {
  var limits = ConnectionLimits()
  limits.maxConnections = 1
  limits.maxPerAddress = 1
  let admission = ConnectionAdmission(limits)
  let network = ClientNetwork.ipv4(1)
  expectEqual([admission.opened(), admission.opened()], [true, false], "one socket")
  let place = admission.admit(network)
  expect(place != nil && admission.admit(network) == nil, "one client")
  admission.closed(isWithinLimit: false, nil)
  expect(!admission.opened() && admission.admit(network) == nil, "the end of a socket beyond the limit frees nothing")
  expect(admission.admit(nil) != nil, "a unix socket is not counted")
  admission.closed(isWithinLimit: true, place)
  expect(admission.opened() && admission.admit(network) != nil, "both are free again")
  let unlimited = ConnectionAdmission(ConnectionLimits())
  let places = (0..<100).map { _ in unlimited.opened() ? unlimited.admit(network) : nil }
  expect(places.allSatisfy { $0 != nil && $0 == places[0] }, "nothing is counted without limits")
}
