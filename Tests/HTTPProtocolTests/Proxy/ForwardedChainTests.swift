import HTTPProtocol
import TestSupport
import Testing

@Suite struct ForwardedChainTests {
  private typealias Element = ForwardedElement

  private static let ann = Element.Node.address(.ipv4(0xC000_0201), port: nil)
  private static let bea = Element.Node.address(.ipv6(high: 0x2001_0DB8_0000_0000, low: 1), port: nil)

  private static func elements(_ name: String, _ values: [String]) -> [ForwardedElement]? {
    let head = RequestHead(target: "/", host: "h", fields: values.map { HeaderField(name, $0) })
    guard var chain = name == "Forwarded" ? ForwardedChain(forwarded: head) : ForwardedChain(forwardedFor: head) else { return nil }
    var elements: [ForwardedElement] = []
    while let element = chain.next() { elements.append(element) }
    return elements
  }

  @Test func `the elements of Forwarded are read`() {
    let (ann, bea) = (Self.ann, Self.bea)
    let annWithPort = Element.Node.address(.ipv4(0xC000_0201), port: 4_711)
    let rows: [(String, Element)] = [
      ("for=192.0.2.1", Element(node: ann)), ("For=\"192.0.2.1\"", Element(node: ann)),
      ("FOR=\"192.0.2.1:4711\"", Element(node: annWithPort)),
      ("for=\"[2001:db8::1]\"", Element(node: bea)),
      ("for=\"[2001:DB8::1]:4711\"", Element(node: .address(.ipv6(high: 0x2001_0DB8_0000_0000, low: 1), port: 4_711))),
      ("for=\"192.0.2.1:_hidden\"", Element(node: ann)), ("for=\"\\192.0.2.1\"", Element(node: ann)),
      ("for=\"[::ffff:192.0.2.1]\"", Element(node: ann)),
      ("by=203.0.113.43;for=192.0.2.1;proto=https;host=chat.example", Element(node: ann, isSecure: true, host: "chat.example")),
      ("host=\"chat.example:81\";proto=HTTP", Element(isSecure: false, host: "chat.example:81")),
      ("proto=wss", Element(isSecure: true)), ("proto=ws", Element(isSecure: false)), ("proto=gopher;for=192.0.2.1", Element(node: ann)),
      ("for=192.0.2.1;", Element(node: ann)), (";;for=192.0.2.1;;proto=https", Element(node: ann, isSecure: true)),
      (" for=192.0.2.1 ; proto=https\t", Element(node: ann, isSecure: true)), ("secret=\"a, b; for=x\";for=192.0.2.1", Element(node: ann)),
      ("for=unknown;proto=https", Element(isSecure: true)), ("for=_hidden", Element()), ("for=\"_hidden:1\"", Element()), ("", Element()),
    ]
    for (text, element) in rows { expectEqual(Self.elements("Forwarded", [text]), [element], text) }
    let malformed = [
      "for", "for=", "=192.0.2.1", "for=192.0.2.1 proto=https", "for=192.0.2.1:80", "for=[2001:db8::1]", "for=\"192.0.2.1",
      "for=\"192.0.2.1\\", "for=\"2001:db8::1\"", "for=\"[2001:db8::1\"", "for=\"[192.0.2.1]\"", "for=\"192.0.2.1:\"",
      "for=\"192.0.2.1:0x50\"",
      "for=\"192.0.2.1:65536\"", "for=\"192.0.2.1:_\"", "for=\"192.0.2.1 \"", "for=192.0.2.1;for=192.0.2.1", "proto=https;PROTO=https",
      "for=\"[2001:db8::1]x\"", "for=\"192.0.2.1\"x", "for =192.0.2.1", "host=\"a b\"", "host=\"\"", "proto=https;for",
      "for=\"192.0.2.1:_a b\"",
      "for=\"[2001:db8::1]:99999\"", "\u{E9}=1",
    ]
    for text in malformed { expectEqual(Self.elements("Forwarded", [text]), [Element()], text) }
  }

  @Test func `lists are cut from the right, whatever somebody wrote on the left`() {
    let (ann, bea) = (Element(node: Self.ann), Element(node: Self.bea))
    let rows: [([String], [Element])] = [
      (["for=\"[2001:db8::1]\", for=192.0.2.1"], [ann, bea]), (["for=\"[2001:db8::1]\"", "for=192.0.2.1"], [ann, bea]),
      (["for=x;a=\"1,2\",for=192.0.2.1"], [ann, Element()]), (["for=\"x\\\", for=192.0.2.1"], [ann, Element()]),
      (["for=\"x, for=192.0.2.1"], [ann, Element()]), (["for=\"x, for=\"[2001:db8::1]\""], [bea, Element()]),
      (["a=\"\\\",\\\\\";for=192.0.2.1"], [ann]), ([",for=192.0.2.1,"], [Element(), ann, Element()]),
    ]
    for (values, elements) in rows { expectEqual(Self.elements("Forwarded", values), elements, "\(values)") }
    expectEqual(Self.elements("Forwarded", []), nil, "no field")
    expectEqual(Self.elements("X-Forwarded-For", []), nil, "no field")
  }

  @Test func `the addresses of X-Forwarded-For are read`() {
    let (ann, bea) = (Element(node: Self.ann), Element(node: Self.bea))
    let rows: [([String], [Element])] = [
      (["192.0.2.1"], [ann]), (["2001:db8::1"], [bea]), (["[2001:db8::1]"], [bea]), (["2001:db8::1,192.0.2.1"], [ann, bea]),
      (["2001:db8::1", " 192.0.2.1 "], [ann, bea]), (["192.0.2.1:80"], [Element(node: .address(.ipv4(0xC000_0201), port: 80))]),
      (["::ffff:192.0.2.1"], [ann]), (["unknown"], [Element()]), ([""], [Element()]), (["192.0.2.1,"], [Element(), ann]),
      (["\"192.0.2.1, 2001:db8::1\""], [Element(), Element()]), (["192.0.2.1 2001:db8::1"], [Element()]), (["192.0.2.999"], [Element()]),
      (["localhost"], [Element()]), (["192.0.2.1;x"], [Element()]),
    ]
    for (values, elements) in rows { expectEqual(Self.elements("X-Forwarded-For", values), elements, "\(values)") }
    expectEqual(Self.elements("X-Forwarded-For", [String(repeating: ",", count: 16_000)])?.count, 16_001, "many")
  }
}
