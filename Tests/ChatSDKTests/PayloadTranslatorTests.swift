import TestSupport
import Testing

@testable import ChatSDK

@Suite struct PayloadTranslatorTests {
  private struct Broken: Error {}

  private let translator = PayloadTranslator(
    payloads: CustomPayloads(
      getMessagePublishBody: { content, channel, defaultHandler in
        switch channel {
        case "own": return ["my": ["text": content.text, "files": content.files as Any, "n": 1, "d": 0.5, "on": true]]
        case "bad": return ["date": Broken()]
        case "throws": throw Broken()
        default: return defaultHandler(content)
        }
      },
      getMessageResponseBody: { json, channel, defaultHandler in
        switch channel {
        case "own": return json.codableValue["my"]?["text"]?.stringOptional.map { EventContent.TextMessageContent(text: $0) }
        case "throws": throw Broken()
        default: return defaultHandler(json)
        }
      }))

  @Test func `the default body is a plain text, another one its JSON`() throws {
    expectEqual(try translator.outgoing("*hi*", in: "any"), .text("*hi*"))
    expectEqual(try translator.outgoing("hi", in: "own"), .literal(#"{"my":{"d":0.5,"files":null,"n":1,"on":true,"text":"hi"}}"#))
    for channel in ["bad", "throws"] {
      var refusal: ChatError?
      do throws(ChatError) { _ = try translator.outgoing("hi", in: channel) } catch { refusal = error }
      expectEqual(refusal?.field, "customPayloads", channel)
    }
    let none = PayloadTranslator(payloads: CustomPayloads())
    expectEqual(try none.outgoing("hi", in: "own"), .text("hi"))
    expectEqual(none.incoming("{}", in: "own"), .text("{}"))
  }

  @Test func `what cannot be read keeps its body`() {
    let cases: [(String, String, PayloadTranslator.Incoming)] = [
      ("hi", "any", .text("hi")), (#"{"text":"hi","files":[{"id":"1","name":"n","url":"u"},7]}"#, "any", .text("hi")),
      ("7", "any", .text("7")), ("[1]", "any", .text("[1]")),
      (
        #"{"a":[1,null,true,0.5,"x"]}"#, "any",
        .unknown(.dictionary(["a": .array([.integer(1), .null, .boolean(true), .double(0.5), .string("x")])]))
      ),
      (#"{"my":{"text":"hi"}}"#, "own", .text("hi")), ("hi", "own", .unknown(.string("hi"))), ("hi", "throws", .unknown(.string("hi"))),
    ]
    for (text, channel, expected) in cases { expectEqual(translator.incoming(text, in: channel), expected, "\(text) in \(channel)") }
  }

  @Test func `JSON is taken apart and read as other types`() throws {
    let file = EventContent.File(id: "1", name: "n", url: "u", type: "t")
    let value: [String: Any] = [
      "text": "x", "list": [1, 2.5, true, Float(0.5), Optional<Int>.none as Any] as [Any], "file": file, "inner": ["k": Int8(3)],
    ]
    let json = try #require(AnyJSON(any: value))
    expectEqual(json["list"]?[0]?.intOptional, 1)
    expectEqual(json["list"]?[1]?.doubleOptional, 2.5)
    expectEqual(json["list"]?[0]?.doubleOptional, 1)
    expectEqual(json["list"]?[2]?.boolOptional, true)
    expectEqual(json["list"]?[3]?.doubleOptional, 0.5)
    expectEqual(json["list"]?[4]?.isNil, true)
    expect(json["list"]?[5] == nil && json["x"] == nil && json[0] == nil)
    expectEqual(json["file"].flatMap(EventContent.File.init), file)
    expectEqual(json["list"]?.arrayOptional?.count, 5)
    expectEqual((json.dictionaryOptional?["inner"] as? [String: Any])?["k"] as? Int, 3)
    expectEqual(try json["inner"]?.decode([String: AnyJSON].self), ["k": .integer(3)])
    expect([json.stringOptional, json["list"]?.stringOptional].allSatisfy { $0 == nil })
    expect(json.boolOptional == nil && json.intOptional == nil && json.doubleOptional == nil && json.arrayOptional == nil)
    expect(json["text"]?.dictionaryOptional == nil && AnyJSON(any: UInt64.max) == nil && AnyJSON(any: [Broken()]) == nil)
    expectEqual(AnyJSON(text: json.text ?? ""), json)
    expect(AnyJSON(text: "{") == nil && AnyJSON.double(.infinity).text == nil)
  }
}
