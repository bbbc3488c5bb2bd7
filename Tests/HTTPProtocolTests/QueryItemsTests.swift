import HTTPProtocol
import TestSupport
import Testing

@Suite struct QueryItemsTests {
  @Test func `pairs are read as forms write them`() {
    let rows: [(String, [String: String]?)] = [
      ("", [:]), ("&&", [:]), ("a=1&b=2", ["a": "1", "b": "2"]), ("a", ["a": ""]), ("a=", ["a": ""]), ("a=b=c", ["a": "b=c"]),
      ("filename=a+b%20c.png", ["filename": "a b c.png"]), ("n=%C3%A4%2B", ["n": "ä+"]), ("%61=%7e", ["a": "~"]),
      ("a=%", nil), ("a=%4", nil), ("a=%zz", nil), ("a=%ff", nil), ("a=%c0%af", nil), ("a=1&a=2", nil), ("a=1&%61=2", nil),
      ("n=%00", ["n": "\u{0}"]),
    ]
    for (query, expected) in rows {
      let items = QueryItems(query)
      expectEqual(items.map { Dictionary(uniqueKeysWithValues: $0.items.map { ($0.name, $0.value) }) }, expected, query)
      for (name, value) in expected ?? [:] { expectEqual(items?[name], value, query) }
      expectEqual(items?["none"], nil, query)
    }
  }
}
