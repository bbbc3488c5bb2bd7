import FuzzSupport

@testable import JSON

/// Parses JSON, finds values in its text, looks for duplicate keys and writes it again; all compared with a plain reading.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = FuzzInput(start, count)
  let bytes = Array(input.bytes)
  for (maxBytes, maxDepth) in [(1 << 20, 64), (40, 3)] {
    let parser = required(JSONParser(maxBytes: maxBytes, maxDepth: maxDepth), "the bounds are good")
    // The second time its memory is used again.
    for _ in 0..<2 { check(bytes, parser, maxBytes, maxDepth) }
  }
  // What was not checked before must not trap either.
  bytes.withUnsafeBytes { text in
    for range in JSONText.elements(of: text) + [0..<text.count] { _ = JSONText.memberValue("id", of: text, in: range) }
    _ = JSONText.numbersAreWellFormed(in: text)
  }
  return 0
}

private func check(_ bytes: [UInt8], _ parser: JSONParser, _ maxBytes: Int, _ maxDepth: Int) {
  let expected = bytes.count <= maxBytes ? PlainJSON.parse(bytes, maxDepth: maxDepth) : nil
  let result = parser.parse(bytes) { root -> Bool in
    guard let expected else { fatalError("the parser takes what is no document") }
    compare(root, expected)
    compareText(bytes, expected)
    requireEqual(root.firstDuplicateKey() != nil, hasDuplicate(expected), "a key is there twice")
    checkWriting(root)
    return true
  }
  guard case .failure(let error) = result else { return }
  require(expected == nil, "the parser takes a document: \(error.kind)")
  let isText = String(validating: bytes, as: UTF8.self) != nil
  let isUnread = error.kind == .size || bytes.starts(with: [0xEF, 0xBB, 0xBF])
  if !isUnread { requireEqual(error.kind == .invalidUTF8, !isText, "bad UTF-8 is told apart") }
  if error.kind == .depth { require(bytes.filter { $0 == 0x5B || $0 == 0x7B }.count > maxDepth, "so many containers are there") }
  require(error.kind != .busy && error.kind != .outOfMemory, "the parser is free and has memory")
}

private func compare(_ value: JSONValue, _ expected: PlainJSON.Value) {
  switch (value.content, expected.content) {
  case (.null, .null): break
  case (.bool(let one), .bool(let other)): requireEqual(one, other, "a truth value")
  case (.int(let one), .integer(let other)): requireEqual(one, other, "a whole number")
  case (.uint(let one), .unsigned(let other)): requireEqual(one, other, "a large whole number")
  case (.double(let one), .double(let other)): requireEqual(one.bitPattern, other.bitPattern, "a number")
  case (.string(let one), .string(let other)): requireEqual(Array(one), other, "a string")
  case (.array(let elements), .array(let others)):
    requireEqual([elements.count, value.count, Array(elements).count], Array(repeating: others.count, count: 3), "the number of elements")
    for (element, other) in zip(elements, others) { compare(element, other) }
  case (.object(let members), .object(let others)):
    requireEqual([members.count, value.count, Array(members).count], Array(repeating: others.count, count: 3), "the number of members")
    for (member, other) in zip(members, others) {
      requireEqual(Array(member.keyBytes), other.key, "a key")
      compare(member.value, other.value)
      let first = required(others.first { $0.key == other.key }, "the key is there")
      compare(required(value.member(named: String(decoding: other.key, as: UTF8.self)), "a member is found"), first.value)
    }
  default: require(false, "a value is of one kind: \(value.kind) \(expected)")
  }
  _ = (value.integer, value.unsigned, value.double, value.string, value.bool)
}

/// The places of elements and members are those of the plain reading, from the whole document and from a part of it.
private func compareText(_ bytes: [UInt8], _ expected: PlainJSON.Value) {
  if case .array(let items) = expected.content {
    requireEqual(JSONText.elements(of: bytes), items.map(\.place), "the places of elements")
    requireEqual(JSONText.elements(of: bytes, limit: 2), items.prefix(2).map(\.place), "the places of the first elements")
    for item in items { compareMembers(bytes, item, in: item.place) }
  } else {
    requireEqual(JSONText.elements(of: bytes), [], "only an array has elements")
  }
  compareMembers(bytes, expected, in: nil)
}

private func compareMembers(_ bytes: [UInt8], _ value: PlainJSON.Value, in range: Range<Int>?) {
  guard case .object(let members) = value.content else {
    return requireEqual(JSONText.memberValue("id", of: bytes, in: range), nil, "only an object has members")
  }
  for name in members.map(\.key) + [Array("id".utf8), []] {
    let found = JSONText.memberValue(String(decoding: name, as: UTF8.self), of: bytes, in: range)
    requireEqual(found, members.first { $0.key == name }?.value.place, "the place of a member")
  }
}

private func hasDuplicate(_ value: PlainJSON.Value) -> Bool {
  switch value.content {
  case .array(let items): items.contains(where: hasDuplicate)
  case .object(let members): Set(members.map(\.key)).count < members.count || members.contains { hasDuplicate($0.value) }
  case .null, .bool, .integer, .unsigned, .double, .string: false
  }
}

/// What is written of a document is a document that says the same, and is written the same again.
private func checkWriting(_ root: JSONValue) {
  var writer = JSONWriter()
  writer.value(root)
  let again = required(JSONParser(maxBytes: 1 << 24, maxDepth: 64), "the bounds are good")
  let written = writer.bytes
  let isSame = again.parse(written) { value -> Bool in
    compare(value, required(PlainJSON.parse(written, maxDepth: 64), "what is written is a document"))
    requireEqual(JSONTree(value), JSONTree(root), "written and read again")
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes == written
  }
  guard case .success(true) = isSame else { return require(false, "what is written is taken") }
  // A tree rounds numbers beyond 64 bits with sign, so it is written the same only from itself.
  let tree = JSONTree(root)
  if case .failure(let error) = Result(catching: { () throws(JSONError) in try JSONTree(parsing: tree.encoded) }) {
    require(error.kind == .duplicateKey, "a tree is written as a document: \(error)")
  }
}
