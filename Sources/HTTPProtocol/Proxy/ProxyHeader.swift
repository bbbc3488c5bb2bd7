/// What a proxy says before the first byte of the client (HAProxy's `proxy-protocol.txt`, versions 1 and 2).
package struct ProxyHeader: Equatable, Sendable {
  /// For whom the proxy connects.
  package enum Source: Equatable, Sendable {
    /// For itself, as for a health check: the address of the socket is the right one.
    case proxy
    /// For a client whose address it does not tell.
    case unknown
    /// For a client at an address.
    case client(ForwardedAddress, port: UInt16)
  }

  /// For whom the proxy connects.
  package let source: Source
  /// Whether the client speaks TLS to the proxy; nil where it does not say (version 2 may, in `PP2_TYPE_SSL`).
  package let isSecure: Bool?

  /// Makes a header from its parts.
  package init(source: Source, isSecure: Bool? = nil) {
    self.source = source
    self.isSecure = isSecure
  }
}

/// A header of the PROXY protocol that is none; the connection ends, as nothing behind it can be attributed.
package enum ProxyHeaderViolation: Error, Equatable, Sendable, CaseIterable {
  /// The line of version 1 has more than 107 bytes.
  case lineTooLong
  /// The line of version 1 is malformed.
  case badLine
  /// The signature is that of version 2, and what follows is not: another version or an unknown command.
  case badVersion
  /// The family and transport are a combination that does not exist.
  case badFamily
  /// The announced length is over the limit.
  case tooLong
  /// The announced length is too short for the addresses of the family.
  case tooShort
  /// A TLV reaches beyond the announced length.
  case badExtension
  /// The checksum is wrong.
  case badChecksum

  /// The sentence for the peer.
  package var sentence: String {
    switch self {
    case .lineTooLong: "The PROXY line must have at most \(ProxyHeaderParser.maxLineBytes) bytes."
    case .badLine: "The PROXY line is malformed."
    case .badVersion: "The PROXY header has an unknown version or command."
    case .badFamily: "The PROXY header has an unknown address family."
    case .tooLong: "The PROXY header must announce at most \(ProxyHeaderParser.maxAnnouncedBytes) bytes."
    case .tooShort: "The PROXY header is too short for its addresses."
    case .badExtension: "An extension of the PROXY header is cut off."
    case .badChecksum: "The checksum of the PROXY header is wrong."
    }
  }
}
