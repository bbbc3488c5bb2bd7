public import ChatSDK

extension ChatImpl {
  /// Makes a chat over a gateway.
  ///
  /// Keep a strong reference: the chat ends when nobody does.
  public convenience init(chatConfiguration: ChatConfiguration = ChatConfiguration(), gatewayConfiguration: GatewayConfiguration) {
    self.init(chatConfiguration: chatConfiguration, transport: GatewayTransport(gatewayConfiguration))
  }

  /// The same with the addresses of the host instead of a look-up, for tests.
  package convenience init(gatewayConfiguration: GatewayConfiguration, addresses: [String], handshakeMs: UInt64 = 15_000) {
    let transport = GatewayTransport(gatewayConfiguration, addresses: addresses, handshakeMs: handshakeMs)
    self.init(chatConfiguration: ChatConfiguration(), transport: transport)
  }
}
