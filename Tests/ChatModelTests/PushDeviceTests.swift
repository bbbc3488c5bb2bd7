import ChatModel
import TestSupport
import Testing

@Test func `devices differ by each of their parts`() {
  let device = PushDevice(token: "t", gateway: .apns2, topic: "a.b", environment: .production)
  let others = [
    PushDevice(token: "u", gateway: .apns2, topic: "a.b", environment: .production),
    PushDevice(token: "t", gateway: .apns, topic: "a.b", environment: .production),
    PushDevice(token: "t", gateway: .apns2, topic: "a", environment: .production),
    PushDevice(token: "t", gateway: .apns2, topic: "a.b", environment: .development),
  ]
  for other in others { expect(other != device, "\(other)") }
  expectEqual(PushGateway.allCases.map(\.rawValue), ["fcm", "apns", "apns2"], "gateways")
}
