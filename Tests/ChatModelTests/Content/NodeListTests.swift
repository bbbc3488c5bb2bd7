import TestSupport
import Testing

@testable import ChatModel

@Test func `neighbouring texts are one node`() {
  var list = NodeList()
  expectEqual(list.nodes, [], "nothing")
  list.append("")
  list.append(.plain("a"))
  list.append("b")
  list.append(.styled(.bold, []))
  var other = NodeList()
  other.append("c")
  other.append(.literal(.emoji, "d"))
  other.append("e")
  list.append("x")
  list.append(other)
  list.append("f")
  expectEqual(brief(list.nodes), "ab[bold ]xc[emoji d]ef", "in order")
  expectEqual(list.nodes.count, 5, "joined")
}
