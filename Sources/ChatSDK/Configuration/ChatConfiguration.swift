import ChatModel

/// How a chat behaves: the names and defaults of the PubNub Chat SDK's configuration page.
public struct ChatConfiguration: Sendable {
  /// Which happenings are told on the standard output.
  public var logLevel: LogLevel
  /// Seconds after which ``ConversationRef/startTyping()`` ends by itself, 1 to 5.
  public var typingTimeout: Int
  /// Seconds between two notes of a user's activity, at least 60; the gateway keeps them.
  public var storeUserActivityInterval: Int
  /// Whether the user's last activity is noted; the gateway decides.
  public var storeUserActivityTimestamps: Bool
  /// How pushes are sent to mobile devices.
  public var pushNotificationsConfig: PushNotificationsConfig
  /// By how much each wait of the send limiter is longer than the one before, at least 1.
  public var rateLimitFactor: Int
  /// Milliseconds between two messages to a conversation of a type; 0 and absent are no limit.
  public var rateLimitPerChannel: [ChannelType: Int64]
  /// Bodies of messages that have a form of your own.
  public var customPayloads: CustomPayloads?
  /// Whether the list of muted users is kept for the next session.
  public var syncMutedUsers: Bool
  /// In which types of conversation others see how far one has read; the gateway decides.
  public var emitReadReceiptEvents: [ChannelType: Bool]

  /// Makes a configuration; ``Chat/initialize()`` refuses values that cannot be.
  public init(
    logLevel: LogLevel = .off,
    typingTimeout: Int = 5,
    storeUserActivityInterval: Int = 600,
    storeUserActivityTimestamps: Bool = false,
    pushNotificationsConfig: PushNotificationsConfig = .init(),
    rateLimitFactor: Int = 2,
    rateLimitPerChannel: [ChannelType: Int64] = ChannelType.allCases.reduce(into: [ChannelType: Int64]()) { res, type in res[type] = 0 },
    customPayloads: CustomPayloads? = nil,
    syncMutedUsers: Bool = false,
    emitReadReceiptEvents: [ChannelType: Bool] = [.direct: true, .group: true, .public: false, .unknown: true]
  ) {
    self.logLevel = logLevel
    self.typingTimeout = typingTimeout
    self.storeUserActivityInterval = storeUserActivityInterval
    self.storeUserActivityTimestamps = storeUserActivityTimestamps
    self.pushNotificationsConfig = pushNotificationsConfig
    self.rateLimitFactor = rateLimitFactor
    self.rateLimitPerChannel = rateLimitPerChannel
    self.customPayloads = customPayloads
    self.syncMutedUsers = syncMutedUsers
    self.emitReadReceiptEvents = emitReadReceiptEvents
  }

  /// Refuses the first value that cannot be, with the sentence of the page that describes it.
  func check() throws(ChatError) {
    if !(1...5).contains(typingTimeout) { throw .configuration("typingTimeout", "typingTimeout must be between 1 and 5 seconds") }
    if storeUserActivityInterval < 60 {
      throw .configuration("storeUserActivityInterval", "storeUserActivityInterval must be at least 60000ms")
    }
    if rateLimitFactor < 1 { throw .configuration("rateLimitFactor", "rateLimitFactor must be at least 1") }
    if rateLimitPerChannel.values.contains(where: { $0 < 0 }) {
      throw .configuration("rateLimitPerChannel", "rateLimitPerChannel must not be negative")
    }
    if pushNotificationsConfig.deviceGateway == .apns2, pushNotificationsConfig.apnsTopic == nil {
      throw .configuration("apnsTopic", "apnsTopic has to be defined when deviceGateway is set to apns2")
    }
    if let customPayloads, (customPayloads.getMessagePublishBody == nil) != (customPayloads.getMessageResponseBody == nil) {
      throw .configuration("customPayloads", "getMessagePublishBody and getMessageResponseBody have to be defined together")
    }
  }
}

extension PushService {
  var model: PushGateway {
    switch self {
    case .apns: .apns
    case .apns2: .apns2
    case .fcm: .fcm
    }
  }
}

extension PushEnvironment {
  var model: ChatModel.PushEnvironment {
    switch self {
    case .development: .development
    case .production: .production
    }
  }
}

/// What is told of what happens, the least talkative first.
public enum LogLevel: Int, Hashable, Sendable, CaseIterable {
  case off, error, warn, info, debug, verbose
}

/// The kinds of conversation, under the name of the configuration page.
public enum ChannelType: String, Hashable, Sendable, CaseIterable {
  case direct, group, `public`, unknown
}

/// How pushes are sent to mobile devices.
public struct PushNotificationsConfig: Hashable, Sendable {
  /// Whether messages carry what a push needs.
  public var sendPushes: Bool
  /// What the platform's push service calls this device.
  public var deviceToken: String?
  public var deviceGateway: PushService
  /// The bundle id of an iOS app; needed with `apns2`.
  public var apnsTopic: String?
  public var apnsEnvironment: PushEnvironment

  public init(
    sendPushes: Bool = false,
    deviceToken: String? = nil,
    deviceGateway: PushService = .fcm,
    apnsTopic: String? = nil,
    apnsEnvironment: PushEnvironment = .development
  ) {
    self.sendPushes = sendPushes
    self.deviceToken = deviceToken
    self.deviceGateway = deviceGateway
    self.apnsTopic = apnsTopic
    self.apnsEnvironment = apnsEnvironment
  }
}

/// The push services of the platforms.
public enum PushService: String, Hashable, Sendable, CaseIterable {
  case apns, apns2, fcm
}

/// The environments of Apple's push service.
public enum PushEnvironment: String, Hashable, Sendable, CaseIterable {
  case development, production
}
