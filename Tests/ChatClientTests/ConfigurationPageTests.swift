import ChatClient
import ChatSDK
import Locks
import TestSupport
import Testing

/// The samples of the PubNub Chat SDK's configuration page, changed in nothing but imports and the initialiser.
@Suite(.timeLimit(.minutes(1))) struct ConfigurationPageTests {
  private func with(_ body: (GatewayConfiguration, GatewayWorld) async throws -> Void) async throws {
    let world = try await GatewayWorld.start()
    let configuration = GatewayConfiguration(url: world.url, authentication: .guest(id: "your-user-id"))
    do { try await body(configuration, world) } catch { Issue.record(error) }
    await world.stop()
  }

  @Test func `required setup`() async throws {
    try await with { gatewayConfiguration, _ in
      let chatConfiguration = ChatConfiguration(  // Fill in the necessary parameters for ChatConfiguration
        )
      let chat = ChatImpl(
        chatConfiguration: chatConfiguration,
        gatewayConfiguration: gatewayConfiguration
      )
      try await chat.initialize()
      expectEqual(try chat.currentUser.id, "your-user-id")
    }
  }

  @Test func `typing indicator timeout, and client-side rate limiting`() async throws {
    try await with { gatewayConfiguration, _ in
      let chatConfiguration = ChatConfiguration(
        typingTimeout: 3
      )
      let chat = ChatImpl(
        chatConfiguration: chatConfiguration,
        gatewayConfiguration: gatewayConfiguration
      )
      try await chat.initialize()
      expectEqual(chat.typingTimeout, 3)
    }
    try await with { gatewayConfiguration, _ in
      let chatConfiguration = ChatConfiguration(
        rateLimitFactor: 3,
        rateLimitPerChannel: [
          .public: Int64(3 * 1000)  // 3 seconds converted to milliseconds
        ]
      )
      let chat = ChatImpl(
        chatConfiguration: chatConfiguration,
        gatewayConfiguration: gatewayConfiguration
      )
      try await chat.initialize()
      expectEqual(chat.rateLimitPerChannel, [.public: 3_000])
    }
  }

  @Test func `push notifications`() async throws {
    try await with { gatewayConfiguration, _ in
      for push in [
        PushNotificationsConfig(sendPushes: true, deviceToken: "t"),
        PushNotificationsConfig(deviceToken: "u", deviceGateway: .apns2, apnsTopic: "com.domainname.applicationname"),
        PushNotificationsConfig(deviceToken: "v", deviceGateway: .apns, apnsEnvironment: .production),
      ] {
        let chat = ChatImpl(
          chatConfiguration: ChatConfiguration(pushNotificationsConfig: push), gatewayConfiguration: gatewayConfiguration)
        try await chat.initialize()
        try await chat.registerPushDevice()
        try await chat.unregisterPushDevice()
      }
      let chat = ChatImpl(gatewayConfiguration: gatewayConfiguration)
      try await chat.initialize()
      var refusal: ChatError?
      do throws(ChatError) { try await chat.registerPushDevice() } catch { refusal = error }
      expectEqual(refusal?.message, "Device Token has to be defined in Chat pushNotifications config.")
    }
  }

  @Test func `custom payload for all channels`() throws {
    let customPayloads = CustomPayloads(
      getMessagePublishBody: { content, _, _ in
        return [
          "custom": [
            "payload": [
              "text": content.text
            ]
            // Optionally also save files as ["files": content.files]
          ]
        ]
      },
      getMessageResponseBody: { json, _, _ in
        guard
          let custom = try? json.decode([String: AnyJSON].self),
          let payload = custom["payload"],
          let text = payload["text"]?.stringOptional
        else {
          fatalError("Message cannot be parsed")
        }

        // Optionally parse files
        return EventContent.TextMessageContent(text: text)
      }
    )
    let chatConfiguration = ChatConfiguration(
      customPayloads: customPayloads
    )
    let body = try AnyJSON(any: customPayloads.getMessagePublishBody?(.init(text: "x"), "c", { _ in [:] }) as Any)
    expectEqual(body?["custom"]?["payload"]?["text"], .string("x"))
    let json = AnyJSON.dictionary(["payload": .dictionary(["text": .string("x")])])
    expectEqual(try chatConfiguration.customPayloads?.getMessageResponseBody?(json, "c", { _ in nil })?.text, "x")
  }

  @Test func `custom payload for one channel`() async throws {
    let customPayloads = CustomPayloads(
      getMessagePublishBody: { content, channelId, defaultHandler in
        if channelId == "support-channel" {
          return [
            "my": [
              "custom": [
                "payload": [
                  "structure": content.text
                ]
              ]
            ],
            // Optional parameter
            "files": content.files as Any,
          ] as [String: Any]
        }
        // Default Chat SDK message body structure for other channels
        return defaultHandler(content)
      },
      getMessageResponseBody: { json, channelId, defaultHandler in
        if channelId == "support-channel" {
          guard
            let custom = json.codableValue.dictionaryOptional?["my"] as? [String: Any],
            let payload = custom["custom"] as? [String: Any],
            let structure = payload["payload"] as? [String: Any],
            let text = structure["structure"] as? String
          else {
            fatalError("Message cannot be parsed")
          }
          return EventContent.TextMessageContent(text: text)
        }
        // Default Chat SDK message body structure for other channels
        return defaultHandler(json)
      },
      // Override the default edit action name
      editMessageActionName: "updated",
      // Override the default delete action name
      deleteMessageActionName: "removed"
    )
    try await with { gatewayConfiguration, world in
      let chat = ChatImpl(
        chatConfiguration: ChatConfiguration(customPayloads: customPayloads), gatewayConfiguration: gatewayConfiguration)
      try await chat.initialize()
      let plain = try await world.chat("plain")
      for id in ["support-channel", "other"] {
        let conversation = chat.conversation(id: id)
        try await conversation.createIfNotExists()
        try await plain.conversation(id: id).createIfNotExists()
        let message = try await conversation.send(text: "_hi_ \"you\"")
        let own = try #require(try await message.get())
        let raw = try #require(try await plain.conversation(id: id).message(id: message.id).get())
        expect(own.plaintext.contains("hi") && own.plaintext.contains("\"you\"") && own.unknownPayload == nil)
        expectEqual(raw.plaintext.hasPrefix("{\"files\":null,\"my\":{"), id == "support-channel", raw.plaintext)
        try await message.edit(text: "again")
        expectEqual(try await message.get()?.plaintext, "again")
      }
      let stranger = try await plain.conversation(id: "other").send(content: [TextBlock(children: ["{\"a\":1}"])])
      let unknown = try #require(try await chat.conversation(id: "other").message(id: stranger.id).get())
      expectEqual(unknown.unknownPayload, .dictionary(["a": .integer(1)]))
    }
  }

  @Test func `connection status, and the connection's life`() async throws {
    try await with { gatewayConfiguration, _ in
      let chat: any Chat = ChatImpl(gatewayConfiguration: gatewayConfiguration)
      try await chat.initialize()
      let told = Seen<String>()
      var autoCloseable: (any AutoCloseable)?
      autoCloseable = chat.addConnectionStatusListener { status in
        switch status {
        case .online:
          told.add("Connected")
        case .offline:
          told.add("Disconnected")
        case .connectionError(let error):
          told.add("Connection error: \(error)")
        }
      }
      // Pause all subscriptions when the app enters the background.
      chat.disconnectSubscriptions()
      // Resume all subscriptions when the app returns to the foreground.
      chat.reconnectSubscriptions()
      try await told.first("resumed") { $0 == "Connected" }
      // Release all Chat SDK resources on logout.
      chat.destroy()
      let expected = ["Disconnected", "Connected", "Disconnected"]
      try await told.first("destroyed") { [told] _ in told.count == expected.count }
      expectEqual(told.values, expected)
      autoCloseable?.close()
    }
  }
}
