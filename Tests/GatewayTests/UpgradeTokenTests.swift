import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct UpgradeTokenTests {
  @Test func `a token stands in one of three places`() {
    let cases: [(fields: [String], offered: [String], query: String?, allowsQuery: Bool, UpgradeToken)] = [
      ([], [], nil, true, .none), ([], ["parley.v1"], "a=b", true, .none), (["Bearer abc"], [], nil, false, .header("abc")),
      (["bearer   abc"], [], nil, false, .header("abc")), ([], ["parley.v1", "bearer.abc"], nil, false, .subprotocol("abc")),
      ([], [], "token=abc", true, .query("abc")), ([], [], "x=1&token=abc&y=2", true, .query("abc")), ([], [], "tokens=abc", true, .none),
    ]
    for (fields, offered, query, allowsQuery, expected) in cases {
      expectEqual(Self.token(fields, offered, query, allowsQuery), expected, "\(fields) \(offered) \(query ?? "")")
    }
    let refusals: [(fields: [String], offered: [String], query: String?, allowsQuery: Bool, status: Int)] = [
      (["Basic abc"], [], nil, true, 401), (["Bearer"], [], nil, true, 401), (["Bearer a b"], [], nil, true, 401),
      ([""], [], nil, true, 401),
      (["Bearer a", "Bearer b"], [], nil, true, 400), (["Bearer a"], ["bearer.b"], nil, true, 400),
      (["Bearer a"], [], "token=b", true, 400), ([], ["bearer.a", "bearer.b"], nil, true, 400), ([], [], "token=abc", false, 400),
    ]
    for (fields, offered, query, allowsQuery, status) in refusals {
      guard case .refused(let response) = Self.token(fields, offered, query, allowsQuery) else {
        expect(false, "\(fields) \(offered) \(query ?? "") is let in")
        continue
      }
      expectEqual(response.status, status, "\(fields) \(offered) \(query ?? "")")
      expectEqual(response.fields.contains(.bearerChallenge), status == 401, "a 401 has its challenge (RFC 9110 §15.5.2)")
    }
  }

  private static func token(_ fields: [String], _ offered: [String], _ query: String?, _ allowsQuery: Bool) -> UpgradeToken {
    let head = RequestHead(target: "/ws", query: query, host: "h", fields: fields.map { HeaderField("authorization", $0) })
    return UpgradeToken(head, offered: offered, allowsQuery: allowsQuery)
  }
}
