/// The elements that proxies added to a request, from the right: the last one that passed it on comes first.
///
/// What stands on the left may be the client's own invention, so the list is cut from the right as far as the trust reaches: a quote that
/// somebody opens on the left and never closes swallows nothing that a trusted proxy added behind it.
package struct ForwardedChain: Sendable {
  private enum Kind: Equatable {
    /// `Forwarded` (RFC 7239).
    case standard
    /// `X-Forwarded-For`, a list of addresses.
    case addresses
  }

  private let kind: Kind
  private var rest: ArraySlice<UInt8>
  private var isOver = false

  /// The chain of the `Forwarded` fields of a request; nil where there are none.
  package init?(forwarded request: some HasHeaderFields) {
    guard let value = request["forwarded"] else { return nil }
    kind = .standard
    rest = Array(value.utf8)[...]
  }

  /// The chain of the `X-Forwarded-For` fields of a request; nil where there are none.
  package init?(forwardedFor request: some HasHeaderFields) {
    guard let value = request["x-forwarded-for"] else { return nil }
    kind = .addresses
    rest = Array(value.utf8)[...]
  }

  /// The next element to the left; nil where there is no more.
  package mutating func next() -> ForwardedElement? {
    guard !isOver else { return nil }
    switch kind {
    case .standard: return ForwardedElement(takeLast(quoted: true))
    case .addresses: return ForwardedElement(node: Self.address(ASCII.trimmed(takeLast(quoted: false))))
    }
  }

  /// Cuts off what stands behind the last comma that is not inside quotes.
  private mutating func takeLast(quoted: Bool) -> ArraySlice<UInt8> {
    var isInside = false
    var index = rest.endIndex
    while index > rest.startIndex {
      index -= 1
      switch rest[index] {
      case ForwardedElement.quote where quoted && !(isInside && isEscaped(index)): isInside.toggle()
      case UInt8(ascii: ",") where !isInside:
        defer { rest = rest[..<index] }
        return rest[(index + 1)...]
      default: break
      }
    }
    isOver = true
    return rest
  }

  /// Whether an odd number of backslashes stands before a place.
  private func isEscaped(_ index: Int) -> Bool {
    var count = 0
    while index - count > rest.startIndex, rest[index - count - 1] == ForwardedElement.backslash { count += 1 }
    return count % 2 == 1
  }

  /// An address of `X-Forwarded-For`: as a node, and IPv6 without brackets as most proxies write it.
  private static func address(_ text: ArraySlice<UInt8>) -> ForwardedElement.Node {
    if let address = ForwardedAddress(text) { return .address(address, port: nil) }
    return ForwardedElement.node(Array(text))
  }
}
