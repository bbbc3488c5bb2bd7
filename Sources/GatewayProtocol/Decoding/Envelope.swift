import JSON

/// The members of one JSON-RPC object, sorted but not judged yet (JSON-RPC 2.0 §4).
struct Envelope {
  private(set) var version: JSONValue?
  private(set) var method: JSONValue?
  private(set) var params: JSONValue?
  private(set) var id: JSONValue?
  private(set) var hasResponse = false
  /// The first member that a request does not have.
  private(set) var unknown: JSONMember?
  private var ids = 0

  /// Sorts the members of an object.
  init(_ members: JSONObject) {
    for member in members {
      if member.hasKey("jsonrpc") {
        version = member.value
      } else if member.hasKey("method") {
        method = member.value
      } else if member.hasKey("params") {
        params = member.value
      } else if member.hasKey("id") {
        id = member.value
        ids += 1
      } else {
        if member.hasKey("result") || member.hasKey("error") { hasResponse = true }
        if unknown == nil { unknown = member }
      }
    }
  }

  /// Whether this answers a request, which the gateway never makes.
  var isResponse: Bool { method == nil && hasResponse }

  /// Whether the id stands there twice, so that there is none to answer with.
  var hasManyIDs: Bool { ids > 1 }
}
