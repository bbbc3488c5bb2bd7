import Bytes
import Crypto
import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct ChatPageTests {
  @Test func `the page has one style, one script, and nothing that its policy forbids`() {
    let html = ChatPage.html
    for (tag, content) in [("style", ChatPage.style), ("script", ChatPage.script)] {
      let pieces = html.split(separator: "<\(tag)", omittingEmptySubsequences: false)
      expectEqual(pieces.count, 2, "one <\(tag)>")
      expect(html.contains("<\(tag)>\(content)</\(tag)>"), "<\(tag)> holds what is hashed, and nothing else")
      expect(!content.contains("</\(tag)"), "<\(tag)> ends once")
    }
    let markup = html.replacing(ChatPage.style, with: "").replacing(ChatPage.script, with: "")
    let attributes = markup.matches(of: #/\s(style|on[a-z]+)\s*=/#).map { String($0.output.0) }
    expectEqual(attributes, [], "attributes that the policy forbids")
    expectEqual(markup.matches(of: #/\s(src|href|action)="(?!data:|#)/#).map { String($0.output.0) }, [], "nothing from outside")
    for forbidden in ["eval(", "new Function", "innerHTML", "document.write", "setAttribute('style'", "setAttribute(\"style\"", "import("] {
      expect(!ChatPage.script.contains(forbidden), "the script has no \(forbidden)")
    }
  }

  @Test func `the policy names the hashes of what the page holds`() {
    let response = PageResponse.page
    let policy = response.fields.first { $0.name == "Content-Security-Policy" }?.value ?? ""
    for (directive, content) in [("style-src", ChatPage.style), ("script-src", ChatPage.script)] {
      expect(policy.contains("\(directive) 'sha256-\(Base64.encode(SHA256.digest(Array(content.utf8))))';"), "\(directive) in \(policy)")
    }
    for directive in ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
      expect(policy.contains(directive), directive)
    }
    expect(!policy.contains("unsafe"), "nothing unsafe")
    expectEqual(response.body, Array(ChatPage.html.utf8), "the page itself")
    expectEqual(response.status, 200, "found")
  }
}
