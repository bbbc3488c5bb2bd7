/// The application's own key-value pairs on a user, a conversation or a message; ordered by key, so that equal fields encode equally.
package struct CustomFields: Hashable, Sendable {
  /// One pair.
  package struct Entry: Hashable, Sendable {
    package let key: String
    package let value: String
  }

  /// The most keys that one object may have.
  package static let maxKeys = 64
  /// The most UTF-8 bytes of all keys and values together.
  package static let maxBytes = 4096

  /// All pairs, ordered by the bytes of their keys.
  package private(set) var entries: [Entry] = []

  /// Makes fields without a pair.
  package init() {}

  /// Takes pairs in any order; of a repeated key the last counts.
  package init(_ pairs: [(key: String, value: String)]) {
    for pair in pairs { self[pair.key] = pair.value }
  }

  /// Whether there is no pair.
  package var isEmpty: Bool { entries.isEmpty }

  /// The bytes of all keys and values together.
  package var byteCount: Int { entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

  /// Whether the bounds of `maxKeys` and `maxBytes` are kept.
  package var isWithinBounds: Bool { entries.count <= Self.maxKeys && byteCount <= Self.maxBytes }

  /// The value of a key; setting nil removes it.
  package subscript(key: String) -> String? {
    get {
      let index = position(of: key)
      return isKey(key, at: index) ? entries[index].value : nil
    }
    set {
      let index = position(of: key)
      switch (newValue, isKey(key, at: index)) {
      case (let value?, true): entries[index] = Entry(key: key, value: value)
      case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
      case (nil, true): entries.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Applies a patch key by key.
  package mutating func apply(_ patch: CustomPatch) {
    switch patch {
    case .keep: break
    case .clear: entries = []
    case .merge(let changes): for change in changes { self[change.key] = change.value }
    }
  }

  /// Keys are compared as bytes, like ids: two spellings of one word are two keys.
  private func isKey(_ key: String, at index: Int) -> Bool {
    index < entries.count && entries[index].key.utf8.elementsEqual(key.utf8)
  }

  private func position(of key: String) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key.utf8.lexicographicallyPrecedes(key.utf8) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// What a call does to custom fields: absent keeps them, `null` clears them, an object merges key by key.
package enum CustomPatch: Hashable, Sendable {
  /// One key of a merge; a nil value removes the key.
  package struct Change: Hashable, Sendable {
    package let key: String
    package let value: String?

    package init(key: String, value: String?) {
      self.key = key
      self.value = value
    }
  }

  case keep
  case clear
  case merge([Change])
}

/// What a call does to one field: absent keeps it, `null` resets it to its default.
package enum FieldPatch<Value: Hashable & Sendable>: Hashable, Sendable {
  case keep
  case reset
  case set(Value)

  /// Writes the change to a field that has a default.
  package func apply(to field: inout Value, default initial: Value) {
    switch self {
    case .keep: break
    case .reset: field = initial
    case .set(let value): field = value
    }
  }

  /// Writes the change to a field that may be absent.
  package func apply(to field: inout Value?) {
    switch self {
    case .keep: break
    case .reset: field = nil
    case .set(let value): field = value
    }
  }
}
