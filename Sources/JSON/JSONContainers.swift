import CSimdJSON

/// The elements of an array, in order; valid as long as the value that it came from.
package struct JSONArray: Sequence {
  let value: JSONValue

  /// The number of elements.
  package var count: Int { Int(clamping: json_count(value.raw)) }

  /// Iterates over the elements.
  package func makeIterator() -> Iterator { Iterator(cursor: json_open(value.raw)) }

  /// A place in the array.
  package struct Iterator: IteratorProtocol {
    var cursor: json_cursor

    /// The next element, nil at the end.
    package mutating func next() -> JSONValue? {
      var key = json_text()
      var value = json_value()
      return json_next(&cursor, &key, &value) ? JSONValue(value) : nil
    }
  }
}

/// The members of an object, in the order of the text, duplicates included; valid as long as the value that it came from.
package struct JSONObject: Sequence {
  let value: JSONValue

  /// The number of members.
  package var count: Int { Int(clamping: json_count(value.raw)) }

  /// Iterates over the members.
  package func makeIterator() -> Iterator { Iterator(cursor: json_open(value.raw)) }

  /// A place in the object.
  package struct Iterator: IteratorProtocol {
    var cursor: json_cursor

    /// The next member, nil at the end.
    package mutating func next() -> JSONMember? {
      var key = json_text()
      var value = json_value()
      guard json_next(&cursor, &key, &value) else { return nil }
      return JSONMember(keyBytes: UnsafeRawBufferPointer(key), value: JSONValue(value))
    }
  }
}

/// A member of an object; valid as long as the value that it came from.
package struct JSONMember {
  /// The key's bytes without escapes, valid UTF-8.
  package let keyBytes: UnsafeRawBufferPointer
  /// The member's value.
  package let value: JSONValue

  /// The key as a string.
  package var key: String { String(decoding: keyBytes, as: UTF8.self) }

  /// Whether the key has exactly these bytes.
  package func hasKey(_ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.count == keyBytes.count && $0.elementsEqual(keyBytes) }
  }
}

extension JSONValue {
  /// The elements, nil for every kind but an array.
  package var array: JSONArray? { json_kind_of(raw) == json_array ? JSONArray(value: self) : nil }

  /// The members, nil for every kind but an object.
  package var object: JSONObject? { json_kind_of(raw) == json_object ? JSONObject(value: self) : nil }

  /// The number of elements or members, 0 for every other kind.
  package var count: Int { Int(clamping: json_count(raw)) }

  /// The first member with exactly this key; nil when there is none or the value is no object.
  package subscript(name: StaticString) -> JSONValue? {
    name.withUTF8Buffer { member(UnsafeRawBufferPointer($0)) }
  }

  /// The first member with exactly the bytes of this key; nil when there is none or the value is no object.
  package func member(named name: String) -> JSONValue? {
    var name = name
    return name.withUTF8 { member(UnsafeRawBufferPointer($0)) }
  }

  private func member(_ key: UnsafeRawBufferPointer) -> JSONValue? {
    var found = json_value()
    // An empty string may have no address, which C++ compares as well as any.
    let text = json_text(bytes: key.baseAddress?.assumingMemoryBound(to: CChar.self), count: key.count)
    return json_find(raw, text, &found) ? JSONValue(found) : nil
  }
}
