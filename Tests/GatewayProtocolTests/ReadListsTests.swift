import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadListsTests {
  @Test func `the fields of the documentation may be deleted and no others`() throws {
    let frames = try Frames()
    let rows = try Document.rows(below: ["method", "fields"])
    let all = Set(rows.flatMap { $0[1].split(separator: ", ").map(String.init) }).union(["name", "subjects", "customKEY", ""])
    for row in rows {
      let needed = #""user":"ada""# + (row[0].hasPrefix("user") ? "" : #","conversation":"c""#)
      for field in all {
        let others =
          row[0] == "conversation.deleteFields"
          ? #""conversation":"c""# : row[0].hasPrefix("message") ? #""conversation":"c","message":"m""# : needed
        let expected = row[1].split(separator: ", ").contains { $0 == field } ? "ok" : "-32602 fields"
        expectEqual(try frames.refusal(row[0], #"{\#(others),"fields":["\#(field)"]}"#), expected, "\(row[0]) \(field)")
      }
    }
    expectEqual(Set(rows.map { $0[0] }), Set(Method.allCases.map(\.name).filter { $0.hasSuffix("deleteFields") }))
  }

  @Test func `lists are bounded and hold what they may`() throws {
    let frames = try Frames()
    let list = { (count: Int, length: Int) in
      "[" + Array(repeating: "\"" + String(repeating: "я", count: length) + "\"", count: count).joined(separator: ",") + "]"
    }
    let room = #""conversation":"c""#
    let user = #""user":"ada""#
    let cases: [(method: String, params: String, refusal: String)] = [
      ("conversation.set", #"\#(room),"welcomeMessages":\#(list(10, 1000))"#, "ok"),
      ("conversation.set", #"\#(room),"welcomeMessages":\#(list(11, 1))"#, "107 welcomeMessages"),
      ("conversation.set", #"\#(room),"welcomeMessages":\#(list(1, 1001))"#, "107 welcomeMessages"),
      ("conversation.set", #"\#(room),"welcomeMessages":["a",null]"#, "-32602 welcomeMessages"),
      ("user.set", #"\#(user),"email":\#(list(10, 254))"#, "ok"), ("user.set", #"\#(user),"email":\#(list(11, 1))"#, "107 email"),
      ("user.set", #"\#(user),"phone":\#(list(1, 255))"#, "107 phone"), ("user.set", #"\#(user),"phone":[1]"#, "-32602 phone"),
      ("conversation.deleteFields", #"\#(room),"fields":["subject","type"]"#, "-32602 fields"),
      ("conversation.deleteFields", #"\#(room),"fields":["customs"]"#, "-32602 fields"),
      ("conversation.deleteFields", #"\#(room),"fields":[1]"#, "-32602 fields"),
      ("conversation.deleteFields", #"\#(room),"fields":["Custom.k"]"#, "-32602 fields"),
      ("conversation.invite", #"\#(room),"users":\#(list(20, 1))"#, "ok"),
      ("conversation.invite", #"\#(room),"users":\#(list(21, 1))"#, "107 users"),
      ("conversation.invite", #"\#(room),"users":["a:b"]"#, "-32602 users"),
      ("conversation.invite", #"\#(room),"users":[1]"#, "-32602 users"),
      ("message.deleteFields", #"\#(room),"message":"m","fields":["text"]"#, "-32602 fields"),
      ("participant.deleteFields", #"\#(room),\#(user),"fields":["custom"]"#, "-32602 fields"),
      ("user.deleteFields", #"\#(user),"fields":["name"]"#, "-32602 fields"),
      ("user.deleteFields", #"\#(user),"fields":"role""#, "-32602 fields"),
    ]
    for (method, params, refusal) in cases {
      expectEqual(try frames.refusal(method, "{\(params)}"), refusal, "\(method) \(params.prefix(80))")
    }
  }
}
