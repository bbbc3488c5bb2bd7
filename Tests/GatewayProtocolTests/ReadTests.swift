import GatewayProtocol
import TestSupport
import Testing

/// The bounds of every parameter, from both sides.
@Suite struct ReadTests {
  @Test func `texts are taken up to their limits`() throws {
    let frames = try Frames()
    let x = { (count: Int) in String(repeating: "x", count: count) }
    let wide = { (count: Int) in String(repeating: "\u{1F600}", count: count) }
    let room = #""conversation":"c""#
    let user = #""user":"ada""#
    let send = #"\#(room),"text":"#
    let cases: [(method: String, params: String, refusal: String)] = [
      ("user.get", #""user":"\#(x(92))""#, "ok"), ("user.get", #""user":"\#(x(93))""#, "-32602 user"),
      ("user.get", #""user":"\#(wide(92))""#, "ok"), ("user.get", #""user":" a""#, "-32602 user"),
      ("user.get", #""user":"e\u0301""#, "-32602 user"),
      ("conversation.get", #""conversation":"a*""#, "-32602 conversation"),
      ("conversation.get", #""conversation":"a\u0000""#, "-32602 conversation"),
      ("conversation.set", #"\#(room),"subject":"\#(wide(200))""#, "ok"),
      ("conversation.set", #"\#(room),"subject":"\#(wide(201))""#, "107 subject"),
      ("conversation.set", #"\#(room),"subject":"\#(x(801))""#, "107 subject"),
      ("conversation.set", #"\#(room),"access":"read""#, "-32602 access"),
      ("conversation.set", #"\#(room),"notify":"Mentions""#, "-32602 notify"),
      ("conversation.createIfNotExists", #""type":"private""#, "-32602 type"),
      ("user.set", #"\#(user),"name":"\#(x(200))""#, "ok"), ("user.set", #"\#(user),"name":"\#(x(201))""#, "107 name"),
      ("user.set", #"\#(user),"name":" \u2003""#, "-32602 name"),
      ("user.set", #"\#(user),"welcomeMessage":"\#(x(1001))""#, "107 welcomeMessage"),
      ("user.set", #"\#(user),"locale":"\#(x(35))""#, "ok"), ("user.set", #"\#(user),"locale":"\#(x(36))""#, "107 locale"),
      ("user.set", #"\#(user),"locale":"zh-Hant-1a""#, "ok"), ("user.set", #"\#(user),"locale":"en_US""#, "-32602 locale"),
      ("user.set", #"\#(user),"locale":"ру""#, "-32602 locale"), ("user.set", #"\#(user),"role":"\#(x(64))""#, "ok"),
      ("user.set", #"\#(user),"role":"\#(x(65))""#, "107 role"), ("conversation.send", #"\#(send)"\#(wide(100))""#, "ok"),
      ("conversation.send", #"\#(send)"\#(wide(101))""#, "107 text"), ("conversation.send", #"\#(send)" \n\t\u00a0\u2028""#, "-32602 text"),
      ("conversation.send", #"\#(send)"a","clientMessageId":"\#(wide(64))""#, "ok"),
      ("conversation.send", #"\#(send)"a","clientMessageId":"\#(wide(65))""#, "107 clientMessageId"),
      ("conversation.send", #"\#(send)"a","clientMessageId":"""#, "-32602 clientMessageId"),
      ("conversation.send", #"\#(send)"a","clientMessageId":7"#, "-32602 clientMessageId"),
      ("conversation.history", #"\#(room),"limit":0"#, "-32602 limit"), ("conversation.history", #"\#(room),"limit":101"#, "-32602 limit"),
      ("conversation.history", #"\#(room),"limit":2147483648"#, "-32602 limit"),
      ("conversation.history", #"\#(room),"limit":"9""#, "-32602 limit"),
      ("moderation.set", #"\#(room),\#(user),"reason":"\#(wide(500))""#, "ok"),
      ("moderation.set", #"\#(room),\#(user),"reason":"\#(wide(501))""#, "107 reason"),
      ("moderation.set", #"\#(room),\#(user),"reason":" ""#, "-32602 reason"),
      ("moderation.set", #"\#(room),\#(user),"ban":1"#, "-32602 ban"), ("moderation.list", #"\#(room),"limit":100"#, "ok"),
      ("moderation.list", #"\#(room),"limit":101"#, "-32602 limit"), ("moderation.list", #"\#(room),"after":"a:b""#, "-32602 after"),
      ("session.open", #""guest":{"name":""}"#, "-32602 guest.name"), ("session.open", #""guest":{"name":"\#(x(201))"}"#, "107 guest.name"),
      ("session.open", #""guest":{"id":"a/b"}"#, "-32602 guest.id"), ("session.open", #""guest":{"email":"x"}"#, "-32602 guest.email"),
    ]
    for (method, params, refusal) in cases {
      expectEqual(try frames.refusal(method, "{\(params)}"), refusal, "\(method) \(params.prefix(80))")
    }
  }

  @Test func `addresses are http or https with a host`() throws {
    let frames = try Frames()
    let good = [
      "http://x", "https://x.example/y?z#w", "HTTPS://X", "http://[::1]:80/", "http://я.example",
      "https://" + String(repeating: "x", count: 1992),
    ]
    let bad = [
      "http://", "https://", "http:///x", "http://?x", "http://#", "http://:80", "http://@x", "ftp://x", "javascript:alert(1)", "//x", "x",
      "httpx://x",
      "http:/x", "http://a b", #"http://x\n"#, #"http://x\u0000"#, " http://x", #"http:\/\/\u2028"#,
    ]
    for url in good { expectEqual(try frames.refusal("user.set", #"{"user":"a","photoUrl":"\#(url)"}"#), "ok", "\(url.prefix(40))") }
    for url in bad { expectEqual(try frames.refusal("user.set", #"{"user":"a","photoUrl":"\#(url)"}"#), "-32602 photoUrl", url) }
    let long = "https://" + String(repeating: "x", count: 1993)
    expectEqual(try frames.refusal("user.set", #"{"user":"a","photoUrl":"\#(long)"}"#), "107 photoUrl", "too long")
  }
}
