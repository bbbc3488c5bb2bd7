import HTTPProtocol

/// What a connection needs while it reads requests.
final class HTTPExchange {
  var parser: RequestHeadParser
  /// The request that is being answered.
  var request: RequestHead?

  init(limits: HTTPLimits) { parser = RequestHeadParser(limits: limits) }
}
