extension ListCursor {
  /// Whether an entry here stands above one there: last active first, then by the bytes of the id.
  package func comes(before other: ListCursor) -> Bool {
    activity == other.activity ? conversation < other.conversation : activity > other.activity
  }
}

/// How far down a window on a list of conversations reaches; the deeper one is the greater.
enum ListDepth: Hashable, Comparable {
  /// Down to this place, which belongs to the window.
  case floor(ListCursor)
  /// To the end of the list.
  case end

  /// Whether an entry at this place is inside.
  func reaches(_ cursor: ListCursor) -> Bool {
    switch self {
    case .floor(let floor): !floor.comes(before: cursor)
    case .end: true
    }
  }

  static func < (one: ListDepth, other: ListDepth) -> Bool {
    switch (one, other) {
    case (.floor(let upper), .floor(let lower)): upper.comes(before: lower)
    case (.floor, .end): true
    case (.end, _): false
    }
  }
}
