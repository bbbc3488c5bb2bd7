import HTTPProtocol

/// What a connection needs while it reads requests.
final class HTTPExchange {
  var parser: RequestHeadParser
  /// The request that is being answered.
  var request: RequestHead?
  /// What takes the request's body, or makes its answer.
  var transfer: (any RequestTransfer)?
  /// Bytes of the body that are still to come.
  var bodyLeft = 0
  /// When body or answer take too long.
  var pace: TransferPace?

  init(limits: HTTPLimits) { parser = RequestHeadParser(limits: limits) }
}
