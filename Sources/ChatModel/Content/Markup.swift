/// Reads the markup of a text (`docs/content.md`, Markup).
///
/// Time is linear in the text: each byte is looked at a bounded number of times, whatever the text is.
package enum Markup {
  /// The body that a text becomes: one block.
  package static func content(of text: String) -> [ContentBlock] {
    guard mayHaveMarkup(text) else { return ContentBlock.plain(text) }
    var reader = MarkupReader(text)
    return [.text(reader.nodes())]
  }

  /// Whether the text has anything that markup begins with; most have not, and are not looked at again.
  static func mayHaveMarkup(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(mayHaveMarkup) ?? true
  }

  private static func mayHaveMarkup(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: "@"): return true
      case UInt8(ascii: ":"): if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") { return true }
      case UInt8(ascii: "."): if index > 0, bytes[index - 1] | 0x20 == UInt8(ascii: "w") { return true }
      case UInt8(ascii: "-"), UInt8(ascii: "+"): if index == 0 || bytes[index - 1] == UInt8(ascii: "\n") { return true }
      default: break
      }
    }
    return false
  }
}

/// How many nodes a text may still become; what comes behind stays as it was typed.
struct MarkupBudget {
  private var elements = ContentLimits.maxElements
  private var mentions = ContentLimits.maxMentions

  /// Whether nothing more becomes a node.
  var isSpent: Bool { elements == 0 }

  /// Takes room for nodes; false when there is none.
  mutating func take(_ count: Int = 1) -> Bool {
    guard elements >= count else { return false }
    elements -= count
    return true
  }

  /// Takes room for a mention; false when there is none.
  mutating func takeMention() -> Bool {
    guard mentions > 0, take() else { return false }
    mentions -= 1
    return true
  }
}

/// Reads one text: code blocks first, then the lines between them.
struct MarkupReader {
  private let text: MarkupBytes
  private var budget = MarkupBudget()
  private var list = NodeList()

  init(_ text: String) { self.text = MarkupBytes(text) }

  /// The nodes of the text.
  mutating func nodes() -> [TextNode] {
    var position = 0
    var isLineStart = true
    var search = CodeBlockSearch()
    while position < text.count {
      let code = search.next(in: text, from: position, &budget)
      var end = code?.range.lowerBound ?? text.count
      // The line break before a code block is part of it, and so is the one behind.
      if code != nil, end > position, text[end - 1] == .lineBreak { end -= 1 }
      lines(position..<end, isLineStart: isLineStart)
      guard let code else { break }
      list.append(code.node)
      position = code.range.upperBound
      isLineStart = position < text.count && text[position] == .lineBreak
      if isLineStart { position += 1 }
    }
    return list.nodes
  }

  private mutating func lines(_ range: Range<Int>, isLineStart: Bool) {
    var bullets: [TextNode] = []
    var start = range.lowerBound
    var mayBeBullet = isLineStart
    var needsBreak = false
    while start <= range.upperBound {
      let end = text.firstIndex(of: .lineBreak, in: start..<range.upperBound) ?? range.upperBound
      // A list takes one node, and each of its points one.
      if mayBeBullet, let point = text.bullet(in: start..<end), budget.take(bullets.isEmpty ? 2 : 1) {
        bullets.append(.styled(.bulletPoint, inline(point)))
        needsBreak = false
      } else {
        if bullets.isEmpty, needsBreak { list.append("\n") }
        finish(&bullets)
        list.append(inlineList(start..<end))
        needsBreak = true
      }
      mayBeBullet = true
      start = end + 1
    }
    finish(&bullets)
  }

  private mutating func finish(_ bullets: inout [TextNode]) {
    guard !bullets.isEmpty else { return }
    list.append(.styled(.bulletList, bullets))
    bullets = []
  }

  private mutating func inline(_ range: Range<Int>) -> [TextNode] { inlineList(range).nodes }

  private mutating func inlineList(_ range: Range<Int>) -> NodeList {
    var line = MarkupLine(text, range)
    return line.read(&budget)
  }
}

/// Finds code blocks; once no fence closes any more, no other is looked for.
private struct CodeBlockSearch {
  private var isOver = false

  struct Found {
    let range: Range<Int>
    let node: TextNode
  }

  mutating func next(in text: MarkupBytes, from start: Int, _ budget: inout MarkupBudget) -> Found? {
    var position = start
    while !isOver, let open = text.fence(from: position) {
      guard !text.isWord(before: open, from: 0) else {
        position = open + 3
        continue
      }
      guard let close = text.fence(from: open + 3) else {
        isOver = true
        return nil
      }
      if let node = text.codeBlock(in: (open + 3)..<close), budget.take() { return Found(range: open..<(close + 3), node: node) }
      position = close
    }
    return nil
  }
}
