/// Finds the addresses in a line that become links by themselves.
struct MarkupLinks {
  private let text: MarkupBytes
  private let range: Range<Int>
  /// The last run of characters that may stand in an address; asked for each address in it, and found once.
  private var run = 0..<0
  /// The last run of characters that may stand in a host, for the same reason.
  private var hosts = 0..<0

  init(_ text: MarkupBytes, _ range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// Where the website's address ends that begins at an index: `http://`, `https://` or `www.`, at the beginning of a word.
  mutating func website(at start: Int) -> Int? {
    guard let host = hostStart(at: start), !isInside(start) else { return nil }
    let end = runEnd(at: start)
    guard host < end, hostEnd(at: host) - host <= WebAddress.maxHostLength, let authority = WebAddress.authorityEnd(text.bytes[host..<end])
    else { return nil }
    let hasScheme = host - start > 4
    guard hasScheme || isNamed(host..<authority) else { return nil }
    let whole = authority < end && WebAddress.isDelimiter(text[authority]) ? end : authority
    // In bytes, so that no long address is looked at twice.
    guard whole - start + 8 <= ContentLimits.maxURLLength else { return nil }
    let trimmed = trim(start..<whole)
    guard trimmed > host, hasScheme || isNamed(host..<min(authority, trimmed)) else { return nil }
    return WebAddress(text.string(start..<trimmed)) == nil ? nil : trimmed
  }

  /// Whether a host has a second label: without one it is hardly meant where only `www.` tells that it is one.
  private func isNamed(_ host: Range<Int>) -> Bool {
    guard let point = text.firstIndex(of: UInt8(ascii: "."), in: host) else { return false }
    return point + 1 < host.upperBound
  }

  /// The email address around an at sign; its beginning belongs to no node yet.
  func email(around at: Int, from pending: Int) -> Range<Int>? {
    var start = at
    let first = max(pending, at - LinkAddress.maxLocalLength)
    while start > first, LinkAddress.isLocal(text[start - 1]) { start -= 1 }
    guard start < at, !text.isWord(before: start, from: range.lowerBound) else { return nil }
    guard let end = LinkAddress.domainEnd(text.bytes, from: at + 1), end <= range.upperBound else { return nil }
    guard !text.isWord(at: end, to: range.upperBound), end >= range.upperBound || text[end] != UInt8(ascii: "@") else { return nil }
    return start..<end
  }

  /// Where the host begins; nil where no address does.
  private func hostStart(at start: Int) -> Int? {
    for head in ["https://", "http://", "www."] as [StaticString] where text.begins(with: head, at: start, to: range.upperBound) {
      return start + head.utf8CodeUnitCount
    }
    return nil
  }

  /// Whether an index is within a word or a host.
  private func isInside(_ index: Int) -> Bool {
    guard index > range.lowerBound else { return false }
    return text[index - 1] == UInt8(ascii: ".") || text[index - 1] == UInt8(ascii: "-")
      || text.isWord(before: index, from: range.lowerBound)
  }

  private mutating func hostEnd(at start: Int) -> Int {
    if hosts.contains(start) { return hosts.upperBound }
    var end = start
    while end < range.upperBound, WebAddress.isHost(text[end]) { end += 1 }
    hosts = start..<end
    return end
  }

  private mutating func runEnd(at start: Int) -> Int {
    if run.contains(start) { return run.upperBound }
    var end = start
    while end < range.upperBound, let scalar = text.scalar(at: end, to: range.upperBound) {
      guard WordCharacter.isVisible(scalar), scalar != "<", scalar != ">", scalar != "\"", scalar != "`" else { break }
      end += UTF8.width(scalar)
    }
    run = start..<end
    return end
  }

  /// Leaves out the marks at the end that belong to the sentence, and a bracket that was not opened in the address.
  private func trim(_ place: Range<Int>) -> Int {
    var surplus = text.bytes[place].reduce(0) { $0 + ($1 == UInt8(ascii: ")") ? 1 : $1 == UInt8(ascii: "(") ? -1 : 0) }
    var end = place.upperBound
    while end > place.lowerBound {
      switch text[end - 1] {
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "?"),
        UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        end -= 1
      case UInt8(ascii: ")") where surplus > 0:
        surplus -= 1
        end -= 1
      default: return end
      }
    }
    return end
  }
}
