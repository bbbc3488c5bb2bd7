import CSimdJSON

extension JSONValue {
  /// A key that some object in the value, itself included, has twice; nil when there is none.
  ///
  /// Keys are compared as bytes after their escapes. The time is linear in the size of the document.
  package func firstDuplicateKey() -> String? {
    guard let key = duplicateKey() else { return nil }
    return String(decoding: key, as: UTF8.self)
  }

  // The depth of the recursion is bounded by the parser's depth.
  private func duplicateKey() -> UnsafeRawBufferPointer? {
    var cursor = json_open(raw)
    if cursor.is_object, let key = duplicateMember() { return key }
    var key = json_text()
    var value = json_value()
    while json_next(&cursor, &key, &value) {
      let kind = json_kind_of(value)
      guard kind == json_object || kind == json_array else { continue }
      if let found = JSONValue(value).duplicateKey() { return found }
    }
    return nil
  }

  private func duplicateMember() -> UnsafeRawBufferPointer? {
    // Up to here comparing all pairs on the stack is faster than hashing; most objects of the protocol are smaller.
    let small = 16
    let count = json_count(raw)
    if count < 2 { return nil }
    return count <= small ? duplicateByComparison(count) : duplicateByHashing(count)
  }

  private func duplicateByComparison(_ count: Int) -> UnsafeRawBufferPointer? {
    withUnsafeTemporaryAllocation(of: JSONKey.self, capacity: count) { seen in
      var cursor = json_open(raw)
      var text = json_text()
      var value = json_value()
      var filled = 0
      while filled < count, json_next(&cursor, &text, &value) {
        let key = JSONKey(bytes: UnsafeRawBufferPointer(text))
        for index in 0..<filled where seen[index] == key { return key.bytes }
        // The type is trivial, so nothing has to be deinitialised.
        seen.initializeElement(at: filled, to: key)
        filled += 1
      }
      return nil
    }
  }

  private func duplicateByHashing(_ count: Int) -> UnsafeRawBufferPointer? {
    var seen = Set<JSONKey>(minimumCapacity: count)
    var cursor = json_open(raw)
    var text = json_text()
    var value = json_value()
    while json_next(&cursor, &text, &value) {
      let key = JSONKey(bytes: UnsafeRawBufferPointer(text))
      if !seen.insert(key).inserted { return key.bytes }
    }
    return nil
  }
}

/// A key compared as bytes, because `String` takes canonically equivalent keys for one.
private struct JSONKey: Hashable {
  let bytes: UnsafeRawBufferPointer

  static func == (left: JSONKey, right: JSONKey) -> Bool {
    left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
  }

  // Swift seeds its hash for each process, so that keys cannot be chosen to collide.
  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: bytes)
  }
}
