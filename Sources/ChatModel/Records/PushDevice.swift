/// A device on which a user wants to be told of messages by push, as it is kept.
package struct PushDevice: Hashable, Sendable {
  /// Whom the provider knows the device by; a secret of the device's.
  package let token: String
  package let gateway: PushGateway
  /// The bundle id of an Apple app.
  package let topic: String?
  /// Which of Apple's two services knows the device; nil for Google's.
  package let environment: PushEnvironment?

  package init(token: String, gateway: PushGateway, topic: String? = nil, environment: PushEnvironment? = nil) {
    self.token = token
    self.gateway = gateway
    self.topic = topic
    self.environment = environment
  }

  /// How many devices a user has at most.
  package static let maxPerUser = 20
  /// Scalars of a token: providers name no bound, and none comes near it.
  package static let maxTokenLength = 1_000
  /// Scalars of a bundle id.
  package static let maxTopicLength = 255
}

/// Which provider's service reaches a device.
package enum PushGateway: String, Hashable, Sendable, CaseIterable {
  /// Firebase Cloud Messaging.
  case fcm
  /// Apple's push notification service.
  case apns
  /// The same by its HTTP/2 interface, which needs a topic.
  case apns2
}

/// Which of Apple's two push services a device is registered with.
package enum PushEnvironment: String, Hashable, Sendable, CaseIterable {
  case development
  case production
}
