import HTTPProtocol

/// Lets pages of origins that are let in send files and read answers (Fetch §3.2): a browser asks before and looks at the answer.
struct CrossOriginAccess: Equatable, Sendable {
  private let origin: String?

  /// Takes a request whose origin was let in.
  init(_ request: RequestHead) { origin = request.values(of: "origin").first }

  /// An answer that the page may read.
  func add(to response: HTTPResponse) -> HTTPResponse {
    guard let origin else { return response }
    var response = response
    response.fields += [
      HeaderField("Access-Control-Allow-Origin", origin), HeaderField("Vary", "Origin"),
      HeaderField("Access-Control-Expose-Headers", "Content-Disposition, Content-Range, ETag, Retry-After"),
    ]
    return response
  }

  /// The answer to whether a request may be made; no cookies are ever asked for.
  var preflight: HTTPResponse {
    let fields = [
      HeaderField("Allow", "GET, HEAD, POST, OPTIONS"), HeaderField("Access-Control-Allow-Methods", "GET, HEAD, POST"),
      HeaderField("Access-Control-Allow-Headers", "Authorization, Content-Type, Range, If-None-Match"),
      HeaderField("Access-Control-Max-Age", "600"),
    ]
    return add(to: HTTPResponse(status: 204, fields: fields, body: []))
  }
}
