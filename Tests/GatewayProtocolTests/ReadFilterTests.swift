import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadFilterTests {
  private static func conditions(_ fill: (inout ConversationConditions) -> Void) -> ConversationConditions {
    var conditions = ConversationConditions()
    fill(&conditions)
    return conditions
  }

  @Test func `filters are read as they are written`() throws {
    let frames = try Frames()
    let cases: [(String, [ConversationConditions])] = [
      (#"{"access":["==","Read"]}"#, [Self.conditions { $0.access = .isOneOf(["Read"]) }]),
      (#"{"access":["!oneOf",["Read","ReadWrite"]]}"#, [Self.conditions { $0.access = .isNoneOf(["Read", "ReadWrite"]) }]),
      (#"{"subject":["!=",null]}"#, [Self.conditions { $0.subject = .isNoneOf([nil]) }]),
      (#"{"subject":["oneOf",["a",null,""]]}"#, [Self.conditions { $0.subject = .isOneOf(["a", nil, ""]) }]),
      (
        #"{"custom":{"a":"exists","":"!exists","b.c":["!=","x"]}}"#,
        [
          Self.conditions {
            $0.add(.init(key: "", .isAbsent))
            $0.add(.init(key: "a", .exists))
            $0.add(.init(key: "b.c", .isNoneOf(["x"])))
          }
        ]
      ),
      (
        #"{"createdAt":[">",1],"lastMessageAt":["<",-2]}"#,
        [
          Self.conditions {
            $0.createdAt = .above(1)
            $0.lastMessageAt = .below(-2)
          }
        ]
      ),
      (
        #"{"createdAt":[">=",1],"lastMessageAt":["<=",2.0]}"#,
        [
          Self.conditions {
            $0.createdAt = .atLeast(1)
            $0.lastMessageAt = .atMost(2)
          }
        ]
      ),
      (
        #"{"createdAt":["between",[1,1]],"lastMessageAt":["!between",[1,9]]}"#,
        [
          Self.conditions {
            $0.createdAt = .inside(1...1)
            $0.lastMessageAt = .outside(1...9)
          }
        ]
      ),
      (
        #"["any",[{"isUnread":true},{"hasMessages":false,"isUnread":false}]]"#,
        [
          Self.conditions { $0.isUnread = true },
          Self.conditions {
            $0.hasMessages = false
            $0.isUnread = false
          },
        ]
      ),
    ]
    for (filter, alternatives) in cases {
      let expected = TopicRequest(topic: .conversations(label: "l"), filter: ConversationFilter(anyOf: alternatives))
      expect(expected.filter != nil, filter)
      expectEqual(try frames.request("subscribe", #"{"topic":"conversations#l","filter":\#(filter)}"#), .subscribe(expected), filter)
    }
    for filter in ["{}", "null", #"{"custom":{}}"#, #"["any",[{"isUnread":true},{}]]"#] {
      let all = TopicRequest(topic: .conversations(label: nil))
      expectEqual(try frames.request("subscribe", #"{"topic":"conversations","filter":\#(filter)}"#), .subscribe(all), filter)
    }
  }

  @Test func `an error names the condition`() throws {
    let frames = try Frames()
    let long = String(repeating: "k", count: 70)
    let cases: [(filter: String, refusal: String)] = [
      ("1", "-32602 filter"), (#""any""#, "-32602 filter"), ("[]", "-32602 filter"), (#"["any"]"#, "-32602 filter"),
      (#"["any",{}]"#, "-32602 filter"), (#"["all",[{}]]"#, "-32602 filter"), (#"["any",[]]"#, "-32602 filter"),
      (#"["any",[{}],1]"#, "-32602 filter"), (#"["any",[{},["any",[{}]]]]"#, "-32602 filter[1]"), (#"["any",[1]]"#, "-32602 filter[0]"),
      (#"["any",[{},{"custom":{"a":1}}]]"#, "-32602 filter[1].custom.a"), (#"{"color":["==","x"]}"#, "-32602 filter.color"),
      (#"{"\#(long)":1}"#, "-32602 filter.\(long.prefix(64))…"), (#"{"access":"Read"}"#, "-32602 filter.access"),
      (#"{"access":["==","None"]}"#, "-32602 filter.access"), (#"{"access":["==",null]}"#, "-32602 filter.access"),
      (#"{"access":["oneOf","Read"]}"#, "-32602 filter.access"), (#"{"subject":null}"#, "-32602 filter.subject"),
      (#"{"subject":["=="]}"#, "-32602 filter.subject"), (#"{"subject":["==","a","b"]}"#, "-32602 filter.subject"),
      (#"{"subject":["like","a"]}"#, "-32602 filter.subject"), (#"{"subject":[1,"a"]}"#, "-32602 filter.subject"),
      (#"{"subject":["==",1]}"#, "-32602 filter.subject"), (#"{"subject":["oneOf",["a",1]]}"#, "-32602 filter.subject"),
      (#"{"subject":"exists"}"#, "-32602 filter.subject"), (#"{"custom":["==","a"]}"#, "-32602 filter.custom"),
      (#"{"custom":{"a":"there"}}"#, "-32602 filter.custom.a"), (#"{"custom":{"a":["==",null]}}"#, "-32602 filter.custom.a"),
      (#"{"custom":{"a":["exists"]}}"#, "-32602 filter.custom.a"), (#"{"createdAt":5}"#, "-32602 filter.createdAt"),
      (#"{"createdAt":["==",5]}"#, "-32602 filter.createdAt"), (#"{"createdAt":[1,5]}"#, "-32602 filter.createdAt"),
      (#"{"createdAt":[">","5"]}"#, "-32602 filter.createdAt"), (#"{"createdAt":[">",0.5]}"#, "-32602 filter.createdAt"),
      (#"{"createdAt":["<",9223372036854775808]}"#, "-32602 filter.createdAt"),
      (#"{"lastMessageAt":["between",5]}"#, "-32602 filter.lastMessageAt"),
      (#"{"lastMessageAt":["between",[1]]}"#, "-32602 filter.lastMessageAt"),
      (#"{"lastMessageAt":["between",[2,1]]}"#, "-32602 filter.lastMessageAt"),
      (#"{"lastMessageAt":["!between",[1,"2"]]}"#, "-32602 filter.lastMessageAt"), (#"{"hasMessages":1}"#, "-32602 filter.hasMessages"),
      (#"{"isUnread":["==",true]}"#, "-32602 filter.isUnread"),
    ]
    for (filter, refusal) in cases {
      expectEqual(try frames.refusal("subscribe", #"{"topic":"conversations","filter":\#(filter)}"#), refusal, filter)
    }
    for topic in ["messages:c", "conversation:c", "user:a"] {
      expectEqual(try frames.refusal("subscribe", #"{"topic":"\#(topic)","filter":{"isUnread":true}}"#), "-32602 filter", topic)
    }
  }

  @Test func `filters are bounded`() throws {
    let frames = try Frames()
    let list = { (count: Int, one: String) in "[" + Array(repeating: one, count: count).joined(separator: ",") + "]" }
    let keys = { (count: Int) in "{" + (0..<count).map { #""\#($0)":"exists""# }.joined(separator: ",") + "}" }
    let text = { (count: Int) in String(repeating: "x", count: count) }
    let cases: [(filter: String, refusal: String)] = [
      (#"["any",\#(list(10, #"{"isUnread":true}"#))]"#, "ok"), (#"["any",\#(list(11, #"{"isUnread":true}"#))]"#, "107 filter"),
      (#"{"subject":["oneOf",\#(list(20, #""a""#))]}"#, "ok"), (#"{"subject":["oneOf",\#(list(21, #""a""#))]}"#, "107 filter.subject"),
      (#"{"custom":\#(keys(64))}"#, "ok"), (#"{"custom":\#(keys(65))}"#, "107 filter.custom"),
      (#"{"subject":["==","\#(text(4096))"]}"#, "ok"), (#"{"subject":["==","\#(text(4097))"]}"#, "107 filter"),
      (#"["any",[{"subject":["==","\#(text(2000))"]},{"custom":{"\#(text(96))":["==","\#(text(2000))"]}}]]"#, "ok"),
      (#"["any",[{"subject":["==","\#(text(2000))"]},{"custom":{"\#(text(97))":["==","\#(text(2000))"]}}]]"#, "107 filter"),
    ]
    for (filter, refusal) in cases {
      expectEqual(try frames.refusal("subscribe", #"{"topic":"conversations","filter":\#(filter)}"#), refusal, "\(filter.prefix(60))")
    }
  }
}
