import HTTPProtocol
import TestSupport
import Testing

@Suite struct ASCIITests {
  @Test func `a token has exactly the bytes of RFC 9110`() {
    let allowed = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for byte in UInt8.min...UInt8.max { expectEqual(ASCII.isToken(byte), allowed.contains(byte), "byte \(byte)") }
    expect(!ASCII.isToken([UInt8]()), "empty")
    expect(!ASCII.isToken(Array("a b".utf8)), "with a space")
  }

  @Test func `case is ignored for letters only`() {
    for (one, other, isEqual) in [
      ("aZ", "Az", true), ("a", "ab", false), ("@", "`", false), ("[", "{", false), ("é", "É", false), ("", "", true),
    ] {
      expectEqual(ASCII.equal(one, other), isEqual, "\(one) \(other)")
    }
    for (text, trimmed) in [(" \ta b\t ", "a b"), ("   ", ""), ("", ""), ("x", "x")] {
      expectEqual(String(decoding: ASCII.trimmed(Array(text.utf8)), as: UTF8.self), trimmed, text)
    }
  }
}
