import TestSupport
import Testing

@testable import Configuration

@Test func `addresses to listen on are read, and what is none is refused`() {
  let cases: [(String, ListenAddress?)] = [
    ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080)), ("0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0)),
    ("localhost:65535", .tcp(host: "localhost", port: 65535)), ("[::1]:80", .tcp(host: "::1", port: 80)),
    ("[fe80:0:0:0:1:2:3:4]:80", .tcp(host: "fe80:0:0:0:1:2:3:4", port: 80)), ("a-b.example:1", .tcp(host: "a-b.example", port: 1)),
    ("unix:/run/parley.sock", .unix(path: "/run/parley.sock")), ("unix:", nil), ("unix:a\u{0}b", nil), ("", nil), ("localhost", nil),
    (":80", nil), ("localhost:", nil), ("localhost:65536", nil), ("localhost:+1", nil), ("localhost:-1", nil), ("localhost:８", nil),
    ("::1:80", nil), ("[::1]", nil), ("[::1", nil), ("[1.2.3.4]:80", nil), ("256.0.0.1:80", nil), ("127.1:80", nil), ("ho st:80", nil),
    ("https://host:80", nil), (String(repeating: "a", count: 254) + ":1", nil),
  ]
  for (text, address) in cases { expectEqual(ListenAddress(text), address, text) }
}

@Test func `loopback and what others reach are told apart`() {
  let cases: [(String, loopback: Bool, outside: Bool)] = [
    ("127.0.0.1:1", true, false), ("127.255.0.9:1", true, false), ("localhost:1", true, false), ("LocalHost:1", true, false),
    ("[::1]:1", true, false), ("[0:0:0:0:0:0:0:1]:1", true, false), ("unix:/s", false, false), ("0.0.0.0:1", false, true),
    ("[::]:1", false, true), ("10.0.0.1:1", false, true), ("127.evil.example:1", false, true), ("localhost.example:1", false, true),
    ("[::ffff:127.0.0.1]:1", false, true),
  ]
  for (text, loopback, outside) in cases {
    expectEqual(ListenAddress(text)?.isLoopback, loopback, text)
    expectEqual(ListenAddress(text)?.isReachableFromOutside, outside, text)
  }
}
