import HTTPProtocol
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct UpgradeDecisionTests {
  private static let upgrade = [
    HeaderField("upgrade", "websocket"), HeaderField("connection", "Upgrade"), HeaderField("sec-websocket-version", "13"),
    HeaderField("sec-websocket-key", "MDEyMzQ1Njc4OWFiY2RlZg=="),
  ]

  @Test func `method, handshake, host, origin, drain and token are judged in this order`() throws {
    let protocols = HeaderField("sec-websocket-protocol", "parley.v1, bearer.abc")
    let cases: [(String, method: String, host: String, fields: [HeaderField], isDraining: Bool, outcome: String)] = [
      ("nobody yet", "GET", "localhost", upgrade, false, "let in"),
      ("a page of ours", "GET", "localhost", upgrade + [HeaderField("origin", "http://localhost")], false, "let in"),
      ("a token in the header", "GET", "localhost", upgrade + [HeaderField("authorization", "Bearer abc")], false, "header abc"),
      ("a token among the protocols", "GET", "localhost", upgrade + [protocols], false, "subprotocol abc"),
      ("a wrong method", "POST", "localhost", upgrade, false, "405"), ("no upgrade", "GET", "localhost", [], false, "426"),
      ("no upgrade, and a foreign host", "GET", "evil.example", [], true, "426"),
      ("a foreign host", "GET", "evil.example", upgrade, true, "400"),
      ("a foreign page", "GET", "localhost", upgrade + [HeaderField("origin", "http://evil.example")], true, "403"),
      ("a stop", "GET", "localhost", upgrade + [HeaderField("authorization", "Basic abc")], true, "503"),
      ("a bad token field", "GET", "localhost", upgrade + [HeaderField("authorization", "Basic abc")], false, "401"),
    ]
    for (name, method, host, fields, isDraining, outcome) in cases {
      let policy = UpgradeDecision.Policy(
        origins: OriginPolicy(isLoopbackOnly: true, allowed: []), allowsQueryToken: false, isDraining: isDraining)
      let head = RequestHead(method: method, target: "/ws", host: host, fields: fields)
      expectEqual(Self.word(UpgradeDecision(head, by: try Self.route(head), policy)), outcome, name)
    }
    let policy = UpgradeDecision.Policy(
      origins: OriginPolicy(isLoopbackOnly: false, allowed: []), allowsQueryToken: true, isDraining: false)
    let query = RequestHead(target: "/ws?token=abc", path: "/ws", query: "token=abc", host: "h", fields: upgrade)
    expectEqual(
      Self.word(UpgradeDecision(query, by: try Self.route(query), policy)), "header abc",
      "a token in the query is answered as one in the header")
  }

  private var upgrade: [HeaderField] { Self.upgrade }

  private static func route(_ head: RequestHead) throws -> RequestRoute {
    try RequestRoute(head, by: ClientPath(peer: .unix("")), trusting: TrustedProxies(), isEncrypted: false)
  }

  private static func word(_ decision: UpgradeDecision) -> String {
    switch decision {
    case .refuse(let response): "\(response.status)"
    case .letIn: "let in"
    case .authenticate(let token, .header): "header \(token)"
    case .authenticate(let token, .subprotocol): "subprotocol \(token)"
    case .authenticate(_, .badToken): "bad"
    }
  }
}
