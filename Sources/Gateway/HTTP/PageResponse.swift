import Bytes
import Crypto
import HTTPProtocol

/// The answer with the chat page.
enum PageResponse {
  /// Made once: the page does not change while the program runs.
  static let page = HTTPResponse(
    status: 200,
    fields: [HeaderField("Content-Type", "text/html; charset=utf-8"), HeaderField("Content-Security-Policy", policy)],
    body: Array(ChatPage.html.utf8))

  /// Nothing runs, and nothing is loaded, but what stands in the page itself.
  private static let policy = [
    "default-src 'none'", "style-src \(hash(ChatPage.style))", "script-src \(hash(ChatPage.script))", "connect-src 'self'",
    "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static func hash(_ text: String) -> String { "'sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))'" }
}
