package import ChatModel
package import ChatSDK
import GatewayProtocol
import Locks
import TLS
import Transport

/// The transport to a gateway over a WebSocket, on a loop of its own.
package final class GatewayTransport: ChatTransport {
  private let configuration: GatewayConfiguration
  /// Nil before it was opened and once it is closed.
  private let inbox = Lock<Mailbox<LinkOrder>?>(nil)

  /// Where the host's name is not to be looked up.
  private let hostAddresses: [String]
  private let handshakeMs: UInt64

  /// Makes a transport.
  ///
  /// - Parameter handshakeMs: How long it may take at one address of the host until the gateway has said hello.
  package init(_ configuration: GatewayConfiguration, addresses: [String] = [], handshakeMs: UInt64 = 15_000) {
    self.configuration = configuration
    hostAddresses = addresses
    self.handshakeMs = handshakeMs
  }

  package func open(_ receive: @escaping @Sendable (TransportEvent) -> Void) {
    guard let address = GatewayAddress(configuration.url) else {
      let error = ChatSDK.ChatError(.invalidConfiguration, "url must be as ws://host:port/ws or wss://host/ws", field: "url")
      return Self.later { receive(.failed(error)) }
    }
    do { try open(address, receive) } catch let error as CredentialProblem {
      Self.later { receive(.failed(ChatError(.invalidConfiguration, "The trusted certificates cannot be used: \(error)", field: "trust"))) }
    } catch {
      Self.later { receive(.failed(ChatError(.connectionLost, "There is no loop for the connection: \(error)"))) }
    }
  }

  private func open(_ address: GatewayAddress, _ receive: @escaping @Sendable (TransportEvent) -> Void) throws {
    let loop = try EventLoop(index: 0)
    let inbox = Mailbox<LinkOrder>(of: loop)
    let context = address.isSecure ? try TLSContext(clientTrusting: configuration.trust.model) : nil
    let preparation = LinkPreparation(address: address, authentication: configuration.authentication, hostAddresses: hostAddresses)
    let timeout = UInt64(clamping: configuration.callTimeout.components.seconds) &* 1000
    let handshakeMs = handshakeMs
    self.inbox.withLock { $0 = inbox }
    loop.execute { loop in
      guard let decoder = ServerMessageDecoder(maxMessageBytes: ClientSocket.maxMessageBytes) else {
        return receive(.failed(ChatError(.connectionLost, "There is no memory for a parser")))
      }
      let link = GatewayLink(
        preparation, inbox, decoder, context, callTimeoutMs: max(1_000, timeout), handshakeMs: handshakeMs, receive: receive)
      link.start(on: loop)
      loop.start()
    }
  }

  package func perform(_ call: ChatCall, _ answer: @escaping @Sendable (Result<ChatReply, ChatSDK.ChatError>) -> Void) {
    guard let inbox = inbox.withLock({ $0 }) else { return Self.later { answer(.failure(.connectionLost)) } }
    inbox.post(.call(call, answer))
  }

  package func close() {
    let inbox = inbox.withLock { box in
      defer { box = nil }
      return box
    }
    inbox?.post(.close)
  }

  private static func later(_ body: @escaping @Sendable () -> Void) { Task { body() } }
}

extension GatewayConfiguration.Trust {
  fileprivate var model: TLSTrust {
    switch self {
    case .system: .system
    case .authorities(let pem): .authorities(Array(pem.utf8))
    }
  }
}
