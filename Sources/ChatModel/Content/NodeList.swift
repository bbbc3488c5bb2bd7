/// Nodes in the making: neighbouring texts become one, and empty ones none.
package struct NodeList {
  private var finished: [TextNode] = []
  /// The text behind them, which may still grow.
  private var text = ""

  /// Makes an empty list.
  package init() {}

  /// The nodes so far.
  package var nodes: [TextNode] { text.isEmpty ? finished : finished + [.plain(text)] }

  /// Adds a node behind the others.
  package mutating func append(_ node: TextNode) {
    if case .plain(let text) = node { return append(text) }
    if !text.isEmpty {
      finished.append(.plain(text))
      text = ""
    }
    finished.append(node)
  }

  /// Adds text behind the nodes.
  package mutating func append(_ more: String) { text += more }

  /// Adds all nodes of another list.
  mutating func append(_ list: NodeList) {
    for node in list.finished { append(node) }
    append(list.text)
  }
}
