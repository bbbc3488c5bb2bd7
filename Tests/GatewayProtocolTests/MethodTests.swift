import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct MethodTests {
  @Test func `methods are found by name and stand in the documentation with their params`() throws {
    for (index, method) in Method.allCases.enumerated() {
      expectEqual(method.index, index, method.name)
      expectEqual(Method(name: method.name), method, method.name)
    }
    let others = [
      "", "Ping", "ping ", "conversation.pins", "conversation.invitations", "message.threads", "message.react", "user.silence",
      "moderation.ban", "presence.there", "push.send", "events.ack", "__proto__", "rpc.discover", "session", "subscribe\u{301}",
      String(repeating: "x", count: 1 << 20),
    ]
    let frames = try Frames()
    for name in others {
      expectEqual(Method(name: name), nil, "\(name.prefix(40))")
      expectEqual(try frames.refusal(name, "{}"), "-32601 ", "\(name.prefix(40))")
    }
    let rows = try Document.rows(below: ["method", "params", "result"])
    expectEqual(rows.map { $0[0] }, Method.allCases.map(\.name), "methods of the documentation")
    for row in rows {
      // A call with an unknown parameter is refused before anything else, so that known names can be told apart.
      for parameter in row[1].split(separator: ", ").map({ $0.replacing("?", with: "") }) {
        let message = try message(frames, row[0], #"{"\#(parameter)":[[]]}"#)
        expect(!message.contains("is not a parameter"), "\(row[0]) has \(parameter)")
      }
      let required = row[1].split(separator: ", ").filter { !$0.hasSuffix("?") }
      expectEqual(try frames.refusal(row[0], "{}") == "-32602 \(required.first ?? "")", !required.isEmpty, "\(row[0]) needs \(required)")
    }
  }

  @Test func `who may call a method or watch a topic stands in the documentation`() throws {
    let calls = try Document.rows(below: ["call"], in: "permissions.md").map { $0[0] }
    let methods = Set(calls.map { String($0.prefix { $0 != "," && $0 != " " }) })
    // Whoever adds one adds a row, and its call to the suite `permissions`, which prints the cells with PARLEY_E2E_PRINT=1.
    expectEqual(Set(Method.allCases.map(\.name)).subtracting(methods), [], "methods without a row in docs/permissions.md")
    expectEqual(methods.subtracting(Method.allCases.map(\.name)), [], "rows of no method")
    let topics = calls.filter { $0.hasPrefix("subscribe ") }.map { String($0.dropFirst(10).prefix { $0 != ":" && $0 != "," }) }
    expectEqual(Set(topics), Set(TopicKind.allCases.map(\.rawValue)), "topics with a row in docs/permissions.md")
  }

  private func message(_ frames: Frames, _ method: String, _ params: String) throws -> String {
    guard case .failure(let error) = try frames.call(method, params).request else { return "" }
    return error.message
  }
}
