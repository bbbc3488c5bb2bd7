import HTTPProtocol

/// The token that an upgrade brings along, and where it stood.
enum UpgradeToken: Equatable {
  case none
  case header(String)
  case subprotocol(String)
  case query(String)
  case refused(HTTPResponse)

  /// Looks for a token in the three places where one may stand.
  ///
  /// - Parameters:
  ///   - offered: The sub-protocols that the client offers.
  ///   - allowsQuery: Whether the configuration lets tokens stand in addresses.
  init(_ request: RequestHead, offered: [String], allowsQuery: Bool) {
    let fields = request.values(of: "authorization")
    let inProtocols = offered.filter { $0.hasPrefix(Self.subprotocolPrefix) }
    let inQuery = Self.queryToken(request.query)
    let count = fields.count + inProtocols.count + (inQuery == nil ? 0 : 1)
    guard count <= 1 else {
      self = .refused(.text(400, "There must be one token"))
      return
    }
    if let field = fields.first {
      self =
        Self.bearer(field).map { .header($0) }
        ?? .refused(
          .text(401, "Authorization must be Bearer and a token", fields: [.bearerChallenge]))
    } else if let token = inProtocols.first {
      self = .subprotocol(String(token.dropFirst(Self.subprotocolPrefix.count)))
    } else if let token = inQuery {
      self =
        allowsQuery
        ? .query(token)
        : .refused(
          .text(400, "Tokens in addresses end up in logs and are not taken; use the Authorization header or session.open"))
    } else {
      self = .none
    }
  }

  private static let subprotocolPrefix = "bearer."

  /// The token in the value of an `Authorization` field; nil for another kind of credentials.
  static func bearer(_ field: String) -> String? {
    let parts = field.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  private static func queryToken(_ query: String?) -> String? {
    guard let query else { return nil }
    for pair in query.split(separator: "&") where pair.hasPrefix("token=") { return String(pair.dropFirst("token=".count)) }
    return nil
  }
}
