import TestSupport
import Testing

@testable import ChatSDK

@Suite struct ChatConfigurationTests {
  @Test func `defaults are those of the page`() {
    let configuration = ChatConfiguration()
    expectEqual(configuration.logLevel, .off)
    expectEqual(configuration.typingTimeout, 5)
    expectEqual(configuration.storeUserActivityInterval, 600)
    expectEqual(configuration.storeUserActivityTimestamps, false)
    expectEqual(configuration.pushNotificationsConfig, PushNotificationsConfig())
    expectEqual(configuration.rateLimitFactor, 2)
    expectEqual(configuration.rateLimitPerChannel, [.direct: 0, .group: 0, .public: 0, .unknown: 0])
    expect(configuration.customPayloads == nil)
    expectEqual(configuration.syncMutedUsers, false)
    expectEqual(configuration.emitReadReceiptEvents, [.direct: true, .group: true, .public: false, .unknown: true])
    let push = PushNotificationsConfig()
    expectEqual([push.deviceToken, push.apnsTopic], [nil, nil])
    expect(!push.sendPushes && push.deviceGateway == .fcm && push.apnsEnvironment == .development)
    expectEqual(LogLevel.allCases, [.off, .error, .warn, .info, .debug, .verbose])
  }

  @Test func `values that cannot be are refused with a sentence`() {
    let half = CustomPayloads(getMessagePublishBody: { content, _, handler in handler(content) })
    let cases: [(ChatConfiguration, String?)] = [
      (ChatConfiguration(), nil), (ChatConfiguration(typingTimeout: 1, storeUserActivityInterval: 60, rateLimitFactor: 1), nil),
      (ChatConfiguration(typingTimeout: 0), "typingTimeout must be between 1 and 5 seconds"),
      (ChatConfiguration(typingTimeout: 6), "typingTimeout must be between 1 and 5 seconds"),
      (ChatConfiguration(storeUserActivityInterval: 59), "storeUserActivityInterval must be at least 60000ms"),
      (ChatConfiguration(rateLimitFactor: 0), "rateLimitFactor must be at least 1"),
      (ChatConfiguration(rateLimitPerChannel: [.group: -1]), "rateLimitPerChannel must not be negative"),
      (
        ChatConfiguration(pushNotificationsConfig: PushNotificationsConfig(deviceGateway: .apns2)),
        "apnsTopic has to be defined when deviceGateway is set to apns2"
      ),
      (ChatConfiguration(pushNotificationsConfig: PushNotificationsConfig(deviceGateway: .apns2, apnsTopic: "a.b")), nil),
      (
        ChatConfiguration(customPayloads: half), "getMessagePublishBody and getMessageResponseBody have to be defined together"
      ),
    ]
    for (configuration, sentence) in cases {
      var refusal: ChatError?
      do throws(ChatError) { try configuration.check() } catch { refusal = error }
      expectEqual(refusal?.message, sentence)
      expectEqual(refusal?.code, sentence.map { _ in .invalidConfiguration })
    }
  }
}
