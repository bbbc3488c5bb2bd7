import ChatModel
import GatewayProtocol
import JSON
import TestSupport
import Testing

@Suite struct CallDecoderTests {
  /// The situations of JSON-RPC 2.0 §7 with our methods.
  @Test func `the examples of the specification are answered as it says`() throws {
    let frames = try Frames()
    let ok = #","result":{}}"#
    let cases: [(text: String, answers: [String])] = [
      // Named params, in any order of the members.
      (#"{"jsonrpc":"2.0","method":"user.get","params":{"user":"ada"},"id":3}"#, [#""id":3"# + ok]),
      (#"{"id":4,"params":{"user":"ada"},"method":"user.get","jsonrpc":"2.0"}"#, [#""id":4"# + ok]),
      // Params by position are no params of ours.
      (#"{"jsonrpc":"2.0","method":"ping","params":[42,23],"id":1}"#, [#""id":1,"error":{"code":-32602"#]),
      // Notifications, of a method that exists and of one that does not.
      (#"{"jsonrpc":"2.0","method":"ping","params":{}}"#, []), (#"{"jsonrpc":"2.0","method":"update","params":[1,2,3]}"#, []),
      (#"{"jsonrpc":"2.0","method":"foobar"}"#, []), (#"{"jsonrpc":"2.0","method":"user.get"}"#, []),
      (#"{"jsonrpc":"2.0","method":"foobar","id":"1"}"#, [#""id":"1","error":{"code":-32601"#]),
      // No JSON, and JSON that is no request.
      (#"{"jsonrpc":"2.0","method":"foobar,"params":"bar","baz]"#, [#""id":null,"error":{"code":-32700"#]),
      (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, [#""id":null,"error":{"code":-32600"#]),
      (#"[{"jsonrpc":"2.0","method":"ping","id":"1"},{"jsonrpc":"2.0","method"]"#, [#""id":null,"error":{"code":-32700"#]),
      ("[]", [#""id":null,"error":{"code":-32600"#]),
      ("[1]", [#"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600"#]),
      ("[1,2,3]", Array(repeating: #""id":null,"error":{"code":-32600"#, count: 3)),
      (
        #"[{"jsonrpc":"2.0","method":"ping","id":"1"},{"jsonrpc":"2.0","method":"ping"},{"foo":"boo"},"#
          + #"{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"}]"#,
        [#""id":"1""# + ok, #""id":null,"error":{"code":-32600"#, #""id":"5","error":{"code":-32601"#]
      ),
      (#"[{"jsonrpc":"2.0","method":"ping"},{"jsonrpc":"2.0","method":"foobar"}]"#, []),
      // Nested batches and entries that are no objects.
      (#"[[],[{"jsonrpc":"2.0","method":"ping","id":1}],null,"x"]"#, Array(repeating: #""id":null,"error":{"code":-32600"#, count: 4)),
    ]
    for (text, answers) in cases {
      let answer = frames.answer(to: text)
      expectEqual(answer == nil, answers.isEmpty, text)
      for part in answers { expect(answer?.contains(part) == true, "\(text): \(answer ?? "")") }
      expectEqual(answer?.matches(of: /"jsonrpc":"2.0"/).count ?? 0, answers.count, text)
    }
  }

  @Test func `an envelope is read strictly`() throws {
    let frames = try Frames()
    let deep = { (depth: Int) in String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth) }
    let empty = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping""#
    let cases: [(text: String, answer: String?)] = [
      (ping + "}", "1 ok"), (ping + #","params":{}}"#, "1 ok"), (" \n\t" + ping + "} \r\n", "1 ok"),
      (ping + #","params":[]}"#, "1 -32602 params"), (ping + #","params":null}"#, "1 -32600 params"),
      (ping + #","params":"x"}"#, "1 -32600 params"), (ping + #","params":1}"#, "1 -32600 params"),
      (ping + #","params":1.5}"#, "1 -32600 params"), (ping + #","params":false}"#, "1 -32600 params"),
      (ping + #","params":18446744073709551615}"#, "1 -32600 params"),
      (ping + #","x":1}"#, "1 -32600 x"), (ping + #","result":1}"#, "1 -32600 result"), (ping + #","__proto__":{}}"#, "1 -32600 __proto__"),
      (ping + #","id":2}"#, "null -32600 id"), (ping + #","\u0069d":1}"#, "null -32600 id"),
      (ping + #","method":"ping"}"#, "1 -32600 method"), (ping + #","params":{},"params":{}}"#, "1 -32600 params"),
      (ping + #","params":{"a":[{"b":1,"b":2}]}}"#, "1 -32600 b"), (ping + #","params":{"b":1,"\u0062":2}}"#, "1 -32600 b"),
      (#"{"id":1,"method":"ping"}"#, "1 -32600 jsonrpc"), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "1 -32600 jsonrpc"),
      (#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, "1 -32600 jsonrpc"), (#"{"jsonrpc":"2.0","id":1}"#, "1 -32600 method"),
      (#"{"jsonrpc":"2.0","id":1,"method":null}"#, "1 -32600 method"), (#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#, "1 -32600 method"),
      (#"{"jsonrpc":"2.0","method":{}}"#, "null -32600 method"), ("{}", "null -32600 jsonrpc"),
      (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, nil), (#"{"jsonrpc":"2.0","id":null,"error":{}}"#, nil), (#"{"error":1,"x":2}"#, nil),
      ("1", "null -32600 "), ("null", "null -32600 "), (#""ping""#, "null -32600 "), ("true", "null -32600 "),
      ("", "null -32700 "), (" ", "null -32700 "), ("\u{FEFF}" + ping + "}", "null -32700 "), (ping, "null -32700 "),
      (ping + "}{}", "null -32700 "), (ping + #","params":{"a":1e400}}"#, "null -32700 "),
      (ping + #","params":{"a":"\ud800"}}"#, "null -32700 "),
      (ping + #","params":{"a":\#(deep(62))}}"#, "1 -32602 a"), (ping + #","params":{"a":\#(deep(63))}}"#, "null -32700 "),
      (empty(64), "batch of 1"), (empty(65), "null -32700 "), (empty(66), "null -32700 "),
      (deep(100_000), "null -32700 "), (String(repeating: #"{"a":"#, count: 100_000), "null -32700 "),
      (#"{"jsonrpc":"2.0","id":1,"method":"$/unknown"}"#, "1 -32601 "), (#"{"jsonrpc":"2.0","method":"$/unknown"}"#, "none -32601 "),
      (#"{"jsonrpc":"2.0","method":"ping","params":[]}"#, "none -32602 params"), (#"{"jsonrpc":"2.0","method":"ping"}"#, "none ok"),
      (ping + #",""# + String(repeating: "k", count: 1000) + #"":1}"#, "1 -32600 " + String(repeating: "k", count: 64) + "…"),
      (#"["# + ping + "}]" + String(repeating: " ", count: 2 << 20), "null -32700 "),
    ]
    for (text, answer) in cases { expectEqual(summary(frames.decode(text)), answer, "\(text.prefix(100))") }
    expectEqual(frames.decoder.decode([0x7B, 0x22, 0xFF, 0x22, 0x7D]), .invalidUTF8)
    expectEqual(
      frames.decoder.decode(Array(ping.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      .refused(RPCError(.parseError, "The text is not valid JSON.")))
  }

  @Test func `batches are bounded and their calls counted`() throws {
    let frames = try Frames()
    let entry = #"{"jsonrpc":"2.0","method":"ping","id":1}"#
    let batch = { (count: Int) in "[" + Array(repeating: entry, count: count).joined(separator: " , ") + "]" }
    for (count, size) in [(1, 1), (4, 4), (5, nil), (10_000, nil)] as [(Int, Int?)] {
      guard case .batch(let calls) = frames.decode(batch(count)) else {
        expectEqual(size, nil, "\(count)")
        expectEqual(summary(frames.decode(batch(count))), "null -32600 ", "\(count)")
        continue
      }
      expectEqual(calls.count, size, "\(count)")
      expectEqual(calls.first, ClientCall(id: RequestID(1), method: .ping, request: .success(.ping)), "\(count)")
    }
    // A response among the entries counts, but nobody answers it.
    guard case .batch(let calls) = frames.decode(#"[{"jsonrpc":"2.0","id":9,"result":[]}, \#(entry)]"#) else {
      return expect(false, "a batch")
    }
    expectEqual(calls.map(\.id), [nil, RequestID(1)])
    let depth = String(repeating: "[", count: 61) + "1" + String(repeating: "]", count: 61)
    expectEqual(
      frames.answer(to: #"[{"jsonrpc":"2.0","method":"ping","id":1,"params":{"a":\#(depth)}}]"#)?.contains("-32602"), true, "depth")
  }

  @Test func `damaged frames are answered with JSON or not at all`() throws {
    let frames = try Frames()
    var random = SplitMix(state: 42)
    let samples = Method.allCases.map { method in
      let params = Samples.params(of: method).map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
      return Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method.name)","params":{\#(params)}}"#.utf8)
    }
    let bytes = Array(#"{}[]",:\u0nte1-.é "#.utf8)
    for round in 0..<4000 {
      var text = samples[round % samples.count]
      if round % 3 == 0 { text = [0x5B] + text + [0x2C] + samples[(round / 3) % samples.count] + [0x5D] }
      for _ in 0...Int(random.next() % 3) {
        let index = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text.remove(at: index)
        case 1: text.insert(bytes[Int(random.next() % UInt64(bytes.count))], at: index)
        default: text[index] = bytes[Int(random.next() % UInt64(bytes.count))]
        }
      }
      guard let answer = frames.answer(to: text), answer != "1007" else { continue }
      expect((try? JSONTree(parsing: answer)) != nil, "\(String(decoding: text, as: UTF8.self)): \(answer)")
    }
  }

  @Test func `a cancellation names the bytes of an id`() throws {
    let frames = try Frames()
    let other = try #require(ids(frames, #""a\u0062""#).first)
    let cases: [(params: String, expected: String)] = [
      (#"{"id":1}"#, "1"), (#"{ "id" : 1.0 }"#, "1.0"), (#"{"id":"a\u0062"}"#, String(decoding: other.bytes, as: UTF8.self)),
      ("{}", "-32602"), (#"{"id":null}"#, "-32600"), (#"{"id":[]}"#, "-32600"), ("[1]", "-32602"),
    ]
    for (params, expected) in cases {
      let text = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":\#(params)}"#
      for text in [text, "[\(text)]"] {
        let call: ClientCall
        switch frames.decode(text) {
        case .single(let single): call = single
        case .batch(let calls): call = try #require(calls.first)
        case let frame: throw Unexpected(description: "\(frame)")
        }
        expectEqual(call.id, nil, text)
        expectEqual(call.method, nil, text)
        switch call.request {
        case .success(.cancel(let id)): expectEqual(String(decoding: id.bytes, as: UTF8.self), expected, text)
        case .success(let request): expect(false, "\(request)")
        case .failure(let error): expectEqual("\(error.kind.code)", expected, text)
        }
      }
    }
    expectEqual(frames.answer(to: #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#), nil)
    expectEqual(try frames.refusal("$/cancelRequest", #"{"id":1}"#), "-32601 ", "as a request")
    expect(CallDecoder(limits: CallLimits(maxMessageBytes: 0, maxTextLength: 1, maxBatch: 1)) == nil, "no bytes")
  }

  private func ids(_ frames: Frames, _ id: String) -> [RequestID] {
    guard case .single(let call) = frames.decode(#"{"jsonrpc":"2.0","method":"ping","id":\#(id)}"#) else { return [] }
    return call.id.map { [$0] } ?? []
  }

  private func summary(_ frame: ClientFrame) -> String? {
    switch frame {
    case .single(let call):
      let id = call.id.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "none"
      switch call.request {
      case .success: return "\(id) ok"
      case .failure(let error): return "\(id) \(error.kind.code) \(error.field ?? "")"
      }
    case .refused(let error): return "null \(error.kind.code) \(error.field ?? "")"
    case .batch(let calls): return "batch of \(calls.count)"
    case .ignored: return nil
    case .invalidUTF8: return "1007"
    }
  }
}

/// A small generator of numbers that are the same in every run.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ (mixed >> 27)
  }
}
