import Glibc
import TestSupport
import Testing

@testable import ChatModel

@Suite struct MarkupTests {
  private static func check(_ cases: [(text: String, nodes: String)]) {
    for (text, nodes) in cases { expectEqual(brief(Markup.content(of: text)), nodes, text.debugDescription) }
  }

  @Test func `markers at the bounds of words are styles`() {
    Self.check([
      ("plain", "plain"), ("*a*", "[bold a]"), ("_a_", "[italic a]"), ("~a~", "[strikethrough a]"), ("x *a b* y", "x [bold a b] y"),
      ("(*a*)", "([bold a])"), ("*a*, *b*", "[bold a], [bold b]"), ("*_~a~_*", "[bold [italic [strikethrough a]]]"),
      ("_a *b* c_", "[italic a [bold b] c]"), ("*a* _b_", "[bold a] [italic b]"), ("👍*a*❤️*b*", "👍[bold a]❤️[bold b]"),
      ("„*ä*“", "„[bold ä]“"), ("_*_", "[italic *]"),
      // No bounds of words.
      ("a*b*c", "a*b*c"), ("snake_case_name", "snake_case_name"), ("2*3*4", "2*3*4"), ("ä*b*", "ä*b*"), ("*b*ä", "*b*ä"),
      ("e\u{301}*b*", "e\u{301}*b*"),
      ("x * a*", "x * a*"), ("*a *", "*a *"), ("5 * 3 * 2", "5 * 3 * 2"), ("*\u{A0}a*", "*\u{A0}a*"),
      // Never closed, or across lines.
      ("*a", "*a"), ("a*", "a*"), ("*a _b*", "[bold a _b]"), ("*a _b* c_", "[bold a _b] c_"), ("*a\nb*", "*a\nb*"), ("*_a", "*_a"),
      ("*a *b* c", "*a [bold b] c"), ("*a _b *c* d_", "*a [italic b [bold c] d]"), ("_a *b _c_", "_a *b [italic c]"),
      // Beside their like.
      ("**a**", "**a**"), ("__init__", "__init__"), ("~~~", "~~~"), ("****", "****"), ("*", "*"), ("_", "_"),
    ])
  }

  @Test func `code is taken letter by letter`() {
    Self.check([
      ("`a`", "[codeSpan a]"), ("x `*a* <@b>` y", "x [codeSpan *a* <@b>] y"), ("*`a`*", "[bold [codeSpan a]]"), ("`a`b`", "[codeSpan a`b]"),
      ("`a\nb`", "`a\nb`"), ("a`b`", "a`b`"), ("` `", "` `"), ("``", "``"), ("`` ` ``", "`` ` ``"), ("`a", "`a"),
      ("`a`` `b`", "[codeSpan a`` `b]"), ("`a `", "[codeSpan a ]"),
      ("```a```", "[codeBlock a]"), ("```\na\n```", "[codeBlock a]"),
      ("```swift\nlet a = *b*\n\nc\n```", "[codeBlock:swift let a = *b*\n\nc]"),
      ("```not a language\na```", "[codeBlock not a language\na]"), ("```c++\na```", "[codeBlock:c++ a]"),
      ("```swift```", "[codeBlock swift]"),
      ("x\n```\na\n```\ny", "x[codeBlock a]y"), ("x ```a``` y", "x [codeBlock a] y"), ("x\n\n```a```\n\ny", "x\n[codeBlock a]\ny"),
      ("```a```\n- b", "[codeBlock a][bulletList [bulletPoint b]]"), ("```a``` - b", "[codeBlock a] - b"),
      ("*x ```a``` y*", "*x [codeBlock a] y*"),
      ("``` ```", "``` ```"), ("```\n\n```", "```\n\n```"), ("```a", "```a"), ("x```a```", "x```a```"), ("``````", "``````"),
      ("``` ```a```", "``` [codeBlock a]"),
      ("```a```b```c```", "[codeBlock a]b```c```"), ("`a` ```b", "[codeSpan a] ```b"),
      ("```\(String(repeating: "l", count: 65))\na```", "[codeBlock \(String(repeating: "l", count: 65))\na]"),
    ])
  }

  @Test func `lines that begin with a bullet are a list`() {
    Self.check([
      ("- a", "[bulletList [bulletPoint a]]"), ("* a\n+ b\n- c", "[bulletList [bulletPoint a][bulletPoint b][bulletPoint c]]"),
      ("x\n- a\n- b\ny", "x[bulletList [bulletPoint a][bulletPoint b]]y"),
      ("- a\n\n- b", "[bulletList [bulletPoint a]][bulletList [bulletPoint b]]"),
      ("- *a* `b`", "[bulletList [bulletPoint [bold a] [codeSpan b]]]"),
      ("-   a  \r\n- b\r\n", "[bulletList [bulletPoint a][bulletPoint b]]"),
      ("- a\n\nx", "[bulletList [bulletPoint a]]\nx"), ("* a*", "[bulletList [bulletPoint a*]]"), ("-a", "-a"), ("- ", "- "),
      ("-  \n- a", "-  [bulletList [bulletPoint a]]"),
      (" - a", " - a"), ("x - a", "x - a"), ("1. a", "1. a"), ("--", "--"), ("+1 a", "+1 a"), ("\n- a", "[bulletList [bulletPoint a]]"),
    ])
  }

  @Test func `a user in angle brackets is mentioned`() {
    let long = String(repeating: "x", count: 92)
    Self.check([
      ("<@ann>", "[mention:ann]"), ("hey<@ann>, <@b o>!", "hey[mention:ann], [mention:b o]!"), ("*<@ann>*", "[bold [mention:ann]]"),
      ("<@\(long)>", "[mention:\(long)]"), ("<@\(long)x>", "<@\(long)x>"), ("<@>", "<@>"), ("<@a:b>", "<@a:b>"), ("<@ann", "<@ann"),
      ("<ann>", "<ann>"),
      ("<@a<@b>", "<@a[mention:b]"), ("<@a\nb>", "<@a\nb>"), ("<", "<"), ("<@", "<@"), ("<@💡>", "[mention:💡]"),
      ("`<@ann>`", "[codeSpan <@ann>]"),
    ])
  }

  @Test func `addresses become links`() {
    func link(_ text: String) -> String { "[autoLink:\(text) \(text)]" }
    func mail(_ text: String) -> String { "[autoLink:mailto:\(text) \(text)]" }
    let long = "https://a.b/" + String(repeating: "x", count: 1_980)
    Self.check([
      ("https://a.b", link("https://a.b")), ("see http://a.b/c?d=e#f.", "see \(link("http://a.b/c?d=e#f"))."),
      ("HTTPS://A.b", link("HTTPS://A.b")),
      ("(https://a.b/c)", "(\(link("https://a.b/c")))"), ("https://a.b/c_(d)", link("https://a.b/c_(d)")),
      ("https://a.b:80,", "\(link("https://a.b:80")),"),
      ("*https://a.b/x_y_*", "[bold \(link("https://a.b/x_y"))_]"), ("_https://a.b_", "[italic \(link("https://a.b"))]"),
      ("<https://a.b>", "<\(link("https://a.b"))>"),
      ("https://a.b\u{3000}c", "\(link("https://a.b"))\u{3000}c"), ("https://bücher.example/ü", link("https://bücher.example/ü")),
      ("http://localhost", link("http://localhost")), ("https://a.b/\u{202E}c", "\(link("https://a.b/"))\u{202E}c"),
      ("https://a.b/?!", "\(link("https://a.b/"))?!"),
      ("www.a.b/c", "[autoLink:https://www.a.b/c www.a.b/c]"), ("WWW.a.b", "[autoLink:https://WWW.a.b WWW.a.b]"), (long, link(long)),
      (long + "x", long + "x"),
      ("xhttps://a.b", "xhttps://a.b"), ("a.www.b.c", "a.www.b.c"), ("-www.b.c", "-www.b.c"), ("https://", "https://"),
      ("https://.a", "https://.a"), ("https://u@a.b", "https://u@a.b"),
      ("https://u:p@a.b/", "https://u:p@a.b/"),
      ("https://u:1@a.b/", "https://u:1@a.b/"), ("https://a.b:99999", "https://a.b:99999"), ("https://a.b:", "https://a.b:"),
      ("www.a", "www.a"), ("www.", "www."), ("www.a.", "www.a."),
      ("https://!", "https://!"), ("https://...", "https://..."), ("javascript://a.b", "javascript://a.b"), ("http:/a.b", "http:/a.b"),
      ("ann@a.example", mail("ann@a.example")), ("(a.b+c@d-e.fg).", "(\(mail("a.b+c@d-e.fg")))."),
      ("_x@y.zz_", "[italic \(mail("x@y.zz"))]"), ("first_last@y.zz", mail("first_last@y.zz")),
      ("@a.example", "@a.example"), ("a@b", "a@b"), ("a@b.c", "a@b.c"), ("a@b.12", "a@b.12"), ("a@b.cdö", "a@b.cdö"),
      ("öa@b.cd", "öa@b.cd"), ("a@b.cd@e", "a@b.cd@e"), ("a@.cd", "a@.cd"),
      ("a@b.cd.", "\(mail("a@b.cd"))."), ("`https://a.b`", "[codeSpan https://a.b]"), ("a:/b", "a:/b"), ("w.a", "w.a"),
    ])
  }

  @Test func `what is beyond the bounds stays as it was typed`() {
    let bold = brief(Markup.content(of: String(repeating: "*a* ", count: 502)))
    expectEqual([bold.matches(of: /\[bold a\]/).count, bold.matches(of: /\*a\*/).count], [500, 2], "nodes")
    let named = brief(Markup.content(of: String(repeating: "<@a>", count: 52)))
    expectEqual([named.matches(of: /\[mention:a\]/).count, named.matches(of: /<@a>/).count], [50, 2], "mentions")
    for piece in ["- a\n", "`a` ", "```a```", "https://a.b ", "a@b.cd "] {
      let content = Markup.content(of: String(repeating: piece, count: 600))
      expectEqual((try? ContentCheck.check(content, maxTextLength: 10_000)) != nil, true, piece)
      expect(content.plaintext.hasSuffix(piece), "\(piece): as it was typed")
    }
  }

  /// A text sixteen times as long takes about sixteen times as long, or it would be an attack.
  @Test func `time is linear in the text`() {
    let pieces = [
      "*a ", "_*~", "* *a", "*a _b ", "`", "` ", "`a", "```", "``` ", "x```", "<@", "<@a ", "http://", "http://!", "http://a/", "www.",
      "www.a/", "www.a.", "a@", "a.", "a@a.", "@",
      "- \n", "- a\n", "(((", "http://a/)))", "\u{3000}*", "_a*b ~c ", "w", "http://a.b/(", "::/", ".a@b.",
    ]
    // The processor's time of this thread: what else runs on the machine does not count.
    func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
    func time(_ text: String) -> Int {
      let times = (0..<3).map { _ in
        let start = now()
        _ = Markup.content(of: text)
        return now() - start
      }
      return times.min() ?? 0
    }
    // Behind these there is no room for another node.
    let full = String(repeating: "*a* ", count: ContentLimits.maxElements)
    let cases = pieces.map { ("", $0, "") } + ["`a ", "www.a/", "a@a.aa "].map { (full, $0, "`") }
    for (head, piece, tail) in cases {
      let short = time(head + String(repeating: piece, count: 1_000 / piece.utf8.count) + tail)
      let long = time(head + String(repeating: piece, count: 16_000 / piece.utf8.count) + tail)
      expect(long < max(short * 64, 50_000), "\(piece.debugDescription): \(short) and \(long) µs")
    }
  }

  @Test func `most texts are looked at once`() {
    let plain = ["", "Hello.", "a - b + c", "10:30 1/2 a.b", "äöü 👍", "line\nline", "\"quoted\" (really)!"]
    for text in plain { expect(!Markup.mayHaveMarkup(text), text) }
    for text in ["*", "_", "~", "`", "<", "@", "://", "www.", "- a", "a\n+ b"] { expect(Markup.mayHaveMarkup(text), text) }
  }
}
