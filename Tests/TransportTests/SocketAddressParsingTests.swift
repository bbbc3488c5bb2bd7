import TestSupport
import Testing
import Transport

@Suite struct SocketAddressParsingTests {
  private func outcome(_ text: String) -> Result<SocketAddress, SocketAddressError> {
    do throws(SocketAddressError) { return .success(try SocketAddress.parse(text)) } catch { return .failure(error) }
  }

  @Test func `addresses are read, and what is wrong is named`() {
    let long = String(repeating: "a", count: 108)
    let loopback6 = IPv6Address(high: 0, low: 1)
    let linkLocal = IPv6Address(high: 0xfe80 << 48, low: 1)
    let cases: [(String, Result<SocketAddress, SocketAddressError>)] = [
      ("127.0.0.1:8080", .success(.ipv4(IPv4Address(127, 0, 0, 1), port: 8080))),
      ("localhost:1", .success(.ipv4(IPv4Address(127, 0, 0, 1), port: 1))),
      (":8080", .success(.ipv4(IPv4Address(bits: 0), port: 8080))),
      ("0.0.0.0:0", .success(.ipv4(IPv4Address(bits: 0), port: 0))),
      ("[::1]:65535", .success(.ipv6(loopback6, port: 65535, scope: 0))),
      ("[::ffff:10.0.0.1]:9", .success(.ipv4(IPv4Address(10, 0, 0, 1), port: 9))),
      ("[fe80::1%7]:9", .success(.ipv6(linkLocal, port: 9, scope: 7))),
      ("[fe80::1%lo]:9", .success(.ipv6(linkLocal, port: 9, scope: 1))),
      ("unix:/run/parley.sock", .success(.unix("/run/parley.sock"))),
      ("unix:" + long.dropLast(), .success(.unix(String(long.dropLast())))),
      ("unix:relative:1", .success(.unix("relative:1"))),
      ("", .failure(.missingPort(""))),
      ("127.0.0.1", .failure(.missingPort("127.0.0.1"))),
      ("[::1]", .failure(.missingPort("[::1]"))),
      ("127.0.0.1:", .failure(.badPort(""))),
      ("127.0.0.1:65536", .failure(.badPort("65536"))),
      ("127.0.0.1:+80", .failure(.badPort("+80"))),
      ("127.0.0.1:-1", .failure(.badPort("-1"))),
      ("127.0.0.1:8o", .failure(.badPort("8o"))),
      ("127.0.0.1:99999999999999999999", .failure(.badPort("99999999999999999999"))),
      ("[::1]:x", .failure(.badPort("x"))),
      ("example.com:80", .failure(.badHost("example.com"))),
      ("1.2.3:80", .failure(.badHost("1.2.3"))),
      ("[1.2.3.4]:80", .failure(.badHost("1.2.3.4"))),
      ("[]:80", .failure(.badHost(""))),
      ("::1:80", .failure(.badBrackets("::1:80"))),
      ("[::1:80", .failure(.badBrackets("[::1:80"))),
      ("::1]:80", .failure(.badBrackets("::1]:80"))),
      ("[fe80::1%]:80", .failure(.badScope(""))),
      ("[fe80::1%nope0]:80", .failure(.badScope("nope0"))),
      ("[fe80::1%lo\0x]:80", .failure(.badScope("lo\0x"))),
      ("unix:", .failure(.badPath(""))),
      ("unix:" + long, .failure(.badPath(long))),
      ("unix:a\0b", .failure(.badPath("a\0b"))),
    ]
    for (text, expected) in cases {
      expectEqual(outcome(text), expected, text)
      guard case .failure(let error) = expected else { continue }
      let named =
        switch error {
        case .missingPort(let part), .badPort(let part), .badHost(let part): part
        case .badBrackets(let part), .badScope(let part), .badPath(let part): part
        }
      expect(error.description.contains("\"\(named)\""), "the sentence about \(text) names what is wrong")
    }
  }
}
