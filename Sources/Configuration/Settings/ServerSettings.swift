/// Addresses, limits and times of the gateway itself.
package struct ServerSettings: Sendable, Equatable {
  /// Where it listens: `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
  package var listen = ["127.0.0.1:8080"]
  /// Addresses or networks whose word about the client is believed, and `unix` for whoever connects to a unix socket.
  package var proxies: [String] = []
  /// Web origins other than the gateway's own that may connect, compared letter for letter.
  package var origins: [String] = []
  /// TLS on every address of `listen`.
  package var tls = TLSSettings()
  /// What one connection may use.
  package var limits = LimitSettings()
  /// What is granted to clients that offer compression.
  package var compression = CompressionSettings()
  /// Milliseconds after the last byte received until a ping goes out.
  package var heartbeatMs = 25_000
  /// Milliseconds after that ping until a silent connection is freed.
  package var graceMs = 10_000
  /// Milliseconds over which connections are closed when the gateway stops.
  package var drainMs = 10_000
  /// The name in `hello.server`.
  package var name = "parley"
  /// Event loops; 0 is one per processor.
  package var loops = 0
}

/// What is granted to clients that offer permessage-deflate (RFC 7692).
package struct CompressionSettings: Sendable, Equatable {
  /// Whether messages are compressed at all.
  package var enabled = true
  /// Whether messages may refer to those before them.
  package var contextTakeover = false
}

/// What one connection may use.
package struct LimitSettings: Sendable, Equatable {
  /// Bytes of one request head; more is status 431.
  package var maxHeadBytes = 16_384
  /// Fields of one request head; more is status 431.
  package var maxHeaderFields = 100
  /// Bytes of one incoming message; more is close code 1009.
  package var maxMessageBytes = 131_072
  /// Frames of one incoming message; more is close code 1009.
  package var maxFragments = 1_024
  /// Milliseconds from the accepted socket to the finished handshake.
  package var handshakeMs = 10_000
  /// Milliseconds from the finished handshake to an open session; then the connection ends with 4000.
  package var authenticationMs = 10_000
  /// Arrays and objects inside each other in a message; more is error -32700.
  package var maxJSONDepth = 64
  /// Operations per second, of a user and of a connection; 0 is no limit.
  package var operationsPerSecond = 100
  /// Operations that may come at once before the rate counts.
  package var operationsBurst = 200
  /// Open sessions of one user, of which one more is error 108 and close code 4102; 0 is no limit.
  package var connectionsPerUser = 50
  /// Upgraded connections of one address, or of one /64 of IPv6; one more is status 429; 0 is no limit.
  package var connectionsPerAddress = 0
  /// Connections in all; one more is status 503; 0: as many as there are descriptors.
  package var connections = 0
  /// Requests that run at once; beyond it the socket is not read.
  package var maxInFlight = 64
  /// Topics subscribed at once; more is error 108.
  package var maxSubscriptions = 500
  /// Entries of a JSON-RPC batch; more is error -32600.
  package var maxBatch = 32
  /// Bytes queued for a reader; beyond it the connection ends with 4100.
  package var outboundBytes = 1_048_576
  /// Bytes a second that messages may inflate to beyond what was sent, twice as many at once; then the socket is not read; 0 is no limit.
  package var inflatedBytesPerSecond = 1_048_576
}
