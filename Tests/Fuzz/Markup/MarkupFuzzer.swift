import ChatModel
import FuzzSupport

/// Reads texts as markup: the nodes keep every rule of content, and nothing is shown that was not typed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let isLong = input.byte().isMultiple(of: 64)
  let text = input.text
  let content = Markup.content(of: text)
  requireEqual(Markup.content(of: text), content, "read twice")
  check(content, of: text)
  checkAgain(content, in: text)
  // Hundreds of times the same: where a text takes more than linear time, the fuzzer's clock ends it.
  if isLong, !text.isEmpty {
    let long = String(repeating: text, count: 65_536 / text.utf8.count)
    require(!Markup.content(of: long).isEmpty, "a body")
  }
  return 0
}

private func check(_ content: [ContentBlock], of text: String) {
  do throws(ContentFault) {
    try ContentCheck.check(content, maxTextLength: text.unicodeScalars.count)
    require(!isBlank(text), "a text of white space is no content")
  } catch {
    require(isBlank(text), "\(error) in \(content)")
  }
  guard case .text(let nodes)? = content.first else { return require(false, "a block of text") }
  if !text.isEmpty { checkNodes(nodes) }
  requireSubsequence(visible(content), of: text)
  let typed = Array(text.utf8)
  for user in content.mentions { require(contains(typed, Array("<@\(user.text)>".utf8)), "who is mentioned was named") }
}

/// Neighbouring texts are one, nothing is empty, and a point stands in a list.
private func checkNodes(_ nodes: [TextNode], isList: Bool = false) {
  require(!nodes.isEmpty, "something is in it")
  var isBehindText = false
  for node in nodes {
    var isText = false
    switch node {
    case .plain(let text):
      require(!text.isEmpty && !isBehindText, "texts are joined")
      isText = true
    case .styled(let style, let children):
      requireEqual(style == .bulletPoint, isList, "points are in lists, and nothing else")
      checkNodes(children, isList: style == .bulletList)
    case .literal(let kind, let text): require(kind == .codeSpan && !isBlank(text) && !text.utf8.contains(10), "code in one line")
    case .codeBlock(let text, _): require(!isBlank(text), "some code")
    case .autoLink(let url, let text): require(LinkAddress.shows(text, url) && LinkAddress.isAllowed(url), "an address shows itself")
    case .mention: break
    case .link, .action, .unknown: require(false, "these are not typed")
    }
    isBehindText = isText
  }
}

/// A body that is shown, and one in which nobody may be mentioned, keep the rules as well.
private func checkAgain(_ content: [ContentBlock], in text: String) {
  requireEqual(content.mentioning { _ in true }, content, "all may be mentioned")
  let bare = content.mentioning { _ in false }
  require(bare.mentions.isEmpty, "nobody is mentioned")
  requireSubsequence(visible(bare), of: text)
  let named = content.naming { $0.text }
  requireEqual(named.mentions, content.mentions, "the same are named")
  require(named.plaintext.utf8.count <= 2 * named.encodedSize, "the size is no less than the text")
}

/// What a body shows, with the ids of the mentioned and without breaks of lines, which it may add.
private func visible(_ content: [ContentBlock]) -> [Unicode.Scalar] {
  content.naming { $0.text }.plaintext.unicodeScalars.filter { $0 != "\n" }
}

/// Whatever is shown was typed, in this order.
private func requireSubsequence(_ shown: [Unicode.Scalar], of text: String) {
  var typed = text.unicodeScalars.makeIterator()
  for scalar in shown {
    while true {
      guard let next = typed.next() else { return require(false, "\(scalar.debugDescription) was not typed") }
      if next == scalar { break }
    }
  }
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { bytes.indices.contains { bytes[$0...].starts(with: part) } }

private func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
