package import ChatModel

/// The first message of a connection, which the server sends unasked (`docs/opening.md`).
package struct Hello: Hashable, Sendable {
  /// What the protocol is called; the WebSocket sub-protocol has the same name (RFC 6455 §1.9).
  package static let protocolName = "parley.v1"

  /// Which program speaks.
  package struct Server: Hashable, Sendable {
    package let name: String
    package let version: String

    /// Names a program.
    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// What the client has to do to be let in.
  package enum Auth: Hashable, Sendable {
    /// Open a session with a token.
    case required
    /// Open a session with a token or as a guest.
    case guest
    /// Nothing: the token came with the upgrade.
    case done(SessionInfo)
  }

  /// What the client has to keep to.
  package struct Limits: Hashable, Sendable {
    /// What its messages are read with.
    package let calls: CallLimits
    package let maxSubscriptions: Int
    /// Operations in a second; 0 for no limit.
    package let operationsPerSecond: Int
    /// Operations at once before the rate counts.
    package let operationsBurst: Int
    /// Where the windows of the lists and the sessions of a user come from.
    package let chat: ChatSettings
    /// Frames of one message.
    package let maxFragments: Int
    /// Calls without a reply, beyond which the socket is not read.
    package let maxInFlight: Int
    /// Bytes that may wait for a reader.
    package let outboundBytes: Int
    /// Bytes a second that messages may inflate to beyond what was sent; 0 for no limit.
    package let inflatedBytesPerSecond: Int

    /// Gathers the limits that hold for a connection.
    package init(
      calls: CallLimits, maxSubscriptions: Int, operationsPerSecond: Int, operationsBurst: Int, chat: ChatSettings, maxFragments: Int,
      maxInFlight: Int, outboundBytes: Int, inflatedBytesPerSecond: Int
    ) {
      self.calls = calls
      self.maxSubscriptions = maxSubscriptions
      self.operationsPerSecond = operationsPerSecond
      self.operationsBurst = operationsBurst
      self.chat = chat
      self.maxFragments = maxFragments
      self.maxInFlight = maxInFlight
      self.outboundBytes = outboundBytes
      self.inflatedBytesPerSecond = inflatedBytesPerSecond
    }
  }

  package let server: Server
  /// The connection's id, for logs on both sides.
  package let connection: String
  /// The server's time of day.
  package let time: Timestamp
  /// How long the server hears nothing before it sends a ping, milliseconds.
  package let heartbeatMs: Int
  /// How long it waits then before it gives the connection up, milliseconds.
  package let graceMs: Int
  package let auth: Auth
  package let limits: Limits

  /// Makes a greeting.
  package init(server: Server, connection: String, time: Timestamp, heartbeatMs: Int, graceMs: Int, auth: Auth, limits: Limits) {
    self.server = server
    self.connection = connection
    self.time = time
    self.heartbeatMs = heartbeatMs
    self.graceMs = graceMs
    self.auth = auth
    self.limits = limits
  }
}
