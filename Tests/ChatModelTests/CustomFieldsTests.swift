import ChatModel
import TestSupport
import Testing

@Test func `custom fields are ordered, merged and bounded`() {
  var fields = CustomFields([("b", "2"), ("a", "1"), ("b", "3"), ("\u{FF5E}", "t"), ("\u{1F600}", "e")])
  expectEqual(fields.entries.map(\.key), ["a", "b", "\u{FF5E}", "\u{1F600}"], "by bytes")
  expectEqual([fields["b"], fields["c"], fields[""]], ["3", nil, nil], "the last counts")
  expectEqual(fields, CustomFields([("\u{1F600}", "e"), ("a", "1"), ("\u{FF5E}", "t"), ("b", "3")]), "whatever the order")
  expectEqual(fields.byteCount, 2 + 2 + 4 + 5, "bytes of keys and values")
  fields.apply(.keep)
  expectEqual(fields.entries.count, 4, "kept")
  fields.apply(
    .merge([.init(key: "a", value: nil), .init(key: "c", value: "4"), .init(key: "x", value: nil), .init(key: "b", value: "5")]))
  expectEqual(fields.entries.map { "\($0.key)=\($0.value)" }, ["b=5", "c=4", "\u{FF5E}=t", "\u{1F600}=e"], "merged by key")
  fields.apply(.clear)
  expect(fields.isEmpty && fields.isWithinBounds, "cleared")

  func made(_ count: Int, bytes: Int = 0) -> CustomFields {
    CustomFields((0..<count).map { ("\($0)", $0 == 0 ? String(repeating: "x", count: bytes) : "") })
  }
  expect(made(64).isWithinBounds && !made(65).isWithinBounds, "64 keys")
  expect(made(1, bytes: 4_095).isWithinBounds && !made(1, bytes: 4_096).isWithinBounds, "4 KiB")
}

@Test func `patches of fields`() {
  var name = "a"
  FieldPatch.keep.apply(to: &name, default: "d")
  expectEqual(name, "a", "kept")
  FieldPatch.set("b").apply(to: &name, default: "d")
  expectEqual(name, "b", "set")
  FieldPatch.reset.apply(to: &name, default: "d")
  expectEqual(name, "d", "reset to the default")
  var address: String? = "a"
  FieldPatch.keep.apply(to: &address)
  expectEqual(address, "a", "kept")
  FieldPatch.set("b").apply(to: &address)
  expectEqual(address, "b", "set")
  FieldPatch.reset.apply(to: &address)
  expectEqual(address, nil, "reset to nothing")
}
