import ChatModel
import JSON

extension CallShape {
  static let pushRegister = CallShape(
    device, required("gateway", gateway), optional("topic", topic), optional("environment", environment)
  ) { (token, gateway, topic, environment) throws(ChatError) in
    guard gateway == .fcm else {
      if gateway == .apns2, topic == nil { throw ChatError(.invalidParams, noTopic, field: "topic") }
      let device = PushDevice(token: token, gateway: gateway, topic: topic, environment: environment ?? .development)
      return .chat(.onSelf(.registerDevice(device)))
    }
    if topic != nil { throw .invalid("topic", "belongs to the gateways \"apns\" and \"apns2\"") }
    if environment != nil { throw .invalid("environment", "belongs to the gateways \"apns\" and \"apns2\"") }
    return .chat(.onSelf(.registerDevice(PushDevice(token: token, gateway: .fcm))))
  }

  static let pushUnregister = CallShape(device) { .chat(.onSelf(.unregisterDevice($0))) }

  /// The token of a device; absent and empty are told in the sentence of PubNub's SDK.
  private static let device = Parameter<String>(name: "device") { (argument) throws(ChatError) in
    guard let argument, !argument.value.isNull, argument.value.string?.isBlank != true else {
      throw ChatError(.invalidParams, "Device Token has to be defined in Chat pushNotifications config.", field: "device")
    }
    return try Read.bounded(argument, PushDevice.maxTokenLength)
  }

  @Sendable private static func gateway(_ argument: Argument) throws(ChatError) -> PushGateway { try Read.choice(argument) }

  @Sendable private static func environment(_ argument: Argument) throws(ChatError) -> PushEnvironment { try Read.choice(argument) }

  @Sendable private static func topic(_ argument: Argument) throws(ChatError) -> String {
    try Read.visible(argument, PushDevice.maxTopicLength)
  }

  /// The sentence of PubNub's SDK.
  private static let noTopic = "apnsTopic has to be defined when deviceGateway is set to apns2"
}
