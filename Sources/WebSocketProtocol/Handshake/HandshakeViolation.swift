package import HTTPProtocol

/// A request that cannot become a WebSocket connection, with the answer to it (RFC 6455 §4.2.1).
package enum HandshakeViolation: Error, Equatable, Sendable {
  /// Another method than GET.
  case methodNotAllowed
  /// HTTP/1.0 knows no change of protocol.
  case oldVersion
  /// A body in front of the frames.
  case unexpectedBody
  /// No `Upgrade: websocket`.
  case missingUpgrade
  /// No `Connection: Upgrade`.
  case missingConnectionUpgrade
  /// No `Sec-WebSocket-Version`.
  case missingVersion
  /// Another `Sec-WebSocket-Version` than 13.
  case unsupportedVersion
  /// No `Sec-WebSocket-Key`, or more than one.
  case missingKey
  /// A `Sec-WebSocket-Key` that is not 16 bytes in Base64.
  case badKey
  /// A `Sec-WebSocket-Protocol` that is no list of different tokens.
  case badSubprotocols

  /// The status of the answer.
  package var status: Int {
    switch self {
    case .methodNotAllowed: 405
    case .oldVersion: 505
    case .missingUpgrade, .unsupportedVersion: 426
    case .unexpectedBody, .missingConnectionUpgrade, .missingVersion, .missingKey, .badKey, .badSubprotocols: 400
    }
  }

  /// The fields that the answer must have besides.
  package var fields: [HeaderField] {
    switch self {
    case .methodNotAllowed: [HeaderField("Allow", "GET")]
    case .missingUpgrade, .unsupportedVersion:
      // RFC 9110 §15.5.22 wants Upgrade with 426, RFC 6455 §4.4 the version.
      [HeaderField("Upgrade", "websocket"), HeaderField("Sec-WebSocket-Version", ServerHandshake.version)]
    case .oldVersion, .unexpectedBody, .missingConnectionUpgrade, .missingVersion, .missingKey, .badKey, .badSubprotocols: []
    }
  }

  /// The sentence for the peer.
  package var sentence: String {
    switch self {
    case .methodNotAllowed: "A WebSocket connection begins with GET."
    case .oldVersion: "A WebSocket connection needs HTTP/1.1."
    case .unexpectedBody: "A WebSocket request has no body."
    case .missingUpgrade: "This resource speaks WebSocket: the Upgrade field must say websocket."
    case .missingConnectionUpgrade: "The Connection field must say Upgrade."
    case .missingVersion: "The Sec-WebSocket-Version field is missing."
    case .unsupportedVersion: "The only WebSocket version spoken here is 13."
    case .missingKey: "The Sec-WebSocket-Key field must be sent once."
    case .badKey: "Sec-WebSocket-Key must be 16 bytes in Base64."
    case .badSubprotocols: "Sec-WebSocket-Protocol must be a list of different tokens."
    }
  }
}
