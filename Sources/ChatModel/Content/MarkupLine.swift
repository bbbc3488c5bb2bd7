/// Reads what stands in one line: styles, code, mentions and addresses.
///
/// Each style is open at most once, so that nothing nests deeper than there are styles.
struct MarkupLine {
  /// A style that was opened and not closed yet, with what came since; the lowest one is the line itself.
  private struct Level {
    let marker: UInt8
    var list = NodeList()
  }

  private let text: MarkupBytes
  private let range: Range<Int>
  private var levels: [Level] = [Level(marker: 0)]
  private var position: Int
  /// Where the text begins that belongs to no node yet.
  private var pending: Int
  private var hasCode = true
  private var links: MarkupLinks

  init(_ text: MarkupBytes, _ range: Range<Int>) {
    self.text = text
    self.range = range
    position = range.lowerBound
    pending = range.lowerBound
    links = MarkupLinks(text, range)
  }

  /// Reads the line.
  mutating func read(_ budget: inout MarkupBudget) -> NodeList {
    // Without room nothing is looked for: each look may go far, and what it finds is never passed over.
    while position < range.upperBound, !budget.isSpent {
      if !step(&budget) { position += 1 }
    }
    flush(to: range.upperBound)
    while levels.count > 1 { spell(levels.count - 1) }
    return levels[0].list
  }

  /// Reads what begins here; false when nothing does.
  private mutating func step(_ budget: inout MarkupBudget) -> Bool {
    switch text[position] {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): return style(&budget)
    case .backtick: return code(&budget)
    case UInt8(ascii: "<"): return mention(&budget)
    case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"):
      guard let end = links.website(at: position), budget.take() else { return false }
      let shown = text.string(position..<end)
      let url = WebAddress.scheme(of: text.bytes[position..<end]) == nil ? "https://" + shown : shown
      add(.autoLink(url: url, text: shown), position..<end)
      return true
    case UInt8(ascii: "@"):
      guard let email = links.email(around: position, from: pending), budget.take() else { return false }
      let shown = text.string(email)
      add(.autoLink(url: "mailto:" + shown, text: shown), email)
      return true
    default: return false
    }
  }

  /// Adds a node in place of a range that ends what was read.
  private mutating func add(_ node: TextNode, _ place: Range<Int>) {
    flush(to: place.lowerBound)
    levels[levels.count - 1].list.append(node)
    position = place.upperBound
    pending = position
  }

  private mutating func flush(to end: Int) {
    if pending < end { levels[levels.count - 1].list.append(text.string(pending..<end)) }
    pending = end
  }

  // MARK: Styles

  private mutating func style(_ budget: inout MarkupBudget) -> Bool {
    let marker = text[position]
    guard isSingle(marker) else { return false }
    let isBehindInk = text.isInk(before: position, from: range.lowerBound)
    let isBeforeInk = text.isInk(at: position + 1, to: range.upperBound)
    let open = levels.lastIndex { $0.marker == marker }
    if isBehindInk, !text.isWord(at: position + 1, to: range.upperBound), let open {
      flush(to: position)
      close(open, &budget)
    } else if isBeforeInk, !text.isWord(before: position, from: range.lowerBound) {
      flush(to: position)
      // The later one is closed sooner.
      if let open { spell(open) }
      levels.append(Level(marker: marker))
    } else {
      return false
    }
    position += 1
    pending = position
    return true
  }

  /// Whether a marker does not stand beside its like: two of them are no markup.
  private func isSingle(_ marker: UInt8) -> Bool {
    if position > range.lowerBound, text[position - 1] == marker { return false }
    return position + 1 >= range.upperBound || text[position + 1] != marker
  }

  /// Makes a node of an open level; what was opened in it and not closed stays as it was typed.
  private mutating func close(_ level: Int, _ budget: inout MarkupBudget) {
    while levels.count - 1 > level { spell(levels.count - 1) }
    guard let style = Self.style(of: levels[level].marker), budget.take() else {
      let marker = levels[level].marker
      spell(level)
      return levels[level - 1].list.append(String(Unicode.Scalar(marker)))
    }
    let closed = levels.removeLast()
    levels[level - 1].list.append(.styled(style, closed.list.nodes))
  }

  /// Takes an open level for what it is typed as.
  private mutating func spell(_ level: Int) {
    let spelled = levels.remove(at: level)
    levels[level - 1].list.append(String(Unicode.Scalar(spelled.marker)))
    levels[level - 1].list.append(spelled.list)
  }

  private static func style(of marker: UInt8) -> TextNode.Style? {
    switch marker {
    case UInt8(ascii: "*"): .bold
    case UInt8(ascii: "_"): .italic
    case UInt8(ascii: "~"): .strikethrough
    default: nil
    }
  }

  // MARK: Code and mentions

  private mutating func code(_ budget: inout MarkupBudget) -> Bool {
    guard hasCode, isSingle(.backtick), !text.isWord(before: position, from: range.lowerBound) else { return false }
    guard let close = codeEnd() else {
      // What closes none now closes none that begins later.
      hasCode = false
      return false
    }
    let inside = (position + 1)..<close
    guard !text.isBlank(inside), budget.take() else { return false }
    add(.literal(.codeSpan, text.string(inside)), position..<(close + 1))
    return true
  }

  /// The next single backtick that no word follows.
  private func codeEnd() -> Int? {
    var index = position + 2
    while let found = index < range.upperBound ? text.firstIndex(of: .backtick, in: index..<range.upperBound) : nil {
      let isSingle = text[found - 1] != .backtick && (found + 1 >= range.upperBound || text[found + 1] != .backtick)
      if isSingle, !text.isWord(at: found + 1, to: range.upperBound) { return found }
      index = found + 1
    }
    return nil
  }

  private mutating func mention(_ budget: inout MarkupBudget) -> Bool {
    let start = position + 2
    guard start < range.upperBound, text[position + 1] == UInt8(ascii: "@") else { return false }
    var end = start
    let longest = min(range.upperBound, start + 4 * Identifier.maxScalars + 1)
    while end < longest, text[end] != UInt8(ascii: ">"), text[end] != UInt8(ascii: "<") { end += 1 }
    guard end < longest, text[end] == UInt8(ascii: ">"), let user = try? UserID(text.string(start..<end)) else { return false }
    guard budget.takeMention() else { return false }
    add(.mention(user, text: ""), position..<(end + 1))
    return true
  }
}
