import ChatModel
import GatewayProtocol
import TestSupport
import Testing

extension MethodShapeTests {
  static func push() -> [(Method, [(String, ClientRequest)])] {
    let registering = { ClientRequest.chat(.onSelf(.registerDevice($0))) }
    let apple = { PushDevice(token: "t", gateway: $0, topic: $1, environment: $2) }
    return [
      (
        .pushRegister,
        [
          (#"{"device":"t","gateway":"fcm","topic":null}"#, registering(PushDevice(token: "t", gateway: .fcm))),
          (#"{"device":"t","gateway":"apns"}"#, registering(apple(.apns, nil, .development))),
          (#"{"device":"t","gateway":"apns","topic":"a.b"}"#, registering(apple(.apns, "a.b", .development))),
          (#"{"device":"t","gateway":"apns2","topic":"a.b","environment":"production"}"#, registering(apple(.apns2, "a.b", .production))),
        ]
      ),
      (.pushUnregister, [(#"{"device":"t"}"#, .chat(.onSelf(.unregisterDevice("t"))))]),
    ]
  }

  @Test func `push registration is refused in the sentences of the SDK`() throws {
    let frames = try Frames()
    let (token, topic) = (
      "Device Token has to be defined in Chat pushNotifications config.", "apnsTopic has to be defined when deviceGateway is set to apns2"
    )
    let long = { String(repeating: "x", count: $0) }
    let cases: [(params: String, refusal: String, sentence: String)] = [
      (#"{"gateway":"fcm"}"#, "-32602 device", token), (#"{"device":null,"gateway":"fcm"}"#, "-32602 device", token),
      (#"{"device":"","gateway":"fcm"}"#, "-32602 device", token), (#"{"device":" \t","gateway":"fcm"}"#, "-32602 device", token),
      (#"{"device":7,"gateway":"fcm"}"#, "-32602 device", "device must be a string"),
      (#"{"device":"\#(long(1_001))","gateway":"fcm"}"#, "107 device", "device must have at most 1000 characters"),
      (#"{"device":"t","gateway":"gcm"}"#, "-32602 gateway", #"gateway must be "fcm" or "apns" or "apns2""#),
      (#"{"device":"t","gateway":"apns2"}"#, "-32602 topic", topic),
      (#"{"device":"t","gateway":"apns2","topic":null}"#, "-32602 topic", topic),
      (#"{"device":"t","gateway":"apns2","topic":""}"#, "-32602 topic", "topic must not be empty"),
      (#"{"device":"t","gateway":"apns","topic":"\#(long(256))"}"#, "107 topic", "topic must have at most 255 characters"),
      (#"{"device":"t","gateway":"fcm","topic":"a"}"#, "-32602 topic", #"topic belongs to the gateways "apns" and "apns2""#),
      (
        #"{"device":"t","gateway":"fcm","environment":"production"}"#, "-32602 environment",
        #"environment belongs to the gateways "apns" and "apns2""#
      ),
      (#"{"device":"t","gateway":"apns","environment":"x"}"#, "-32602 environment", #"environment must be "development" or "production""#),
    ]
    for test in cases {
      expectEqual(try frames.refusal("push.register", test.params), test.refusal, test.params)
      guard case .failure(let error) = try frames.call("push.register", test.params).request else { continue }
      expectEqual(error.message, test.sentence, test.params)
    }
    for good in [#"{"device":"\#(long(1_000))","gateway":"fcm"}"#, #"{"device":"t","gateway":"apns","topic":"\#(long(255))"}"#] {
      expectEqual(try frames.refusal("push.register", good), "ok", "at its bound")
    }
    expectEqual(try frames.refusal("push.unregister", "{}"), "-32602 device", "nothing to take back")
  }
}
