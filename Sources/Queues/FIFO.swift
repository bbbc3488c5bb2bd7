/// A list that grows at its back and is shortened at its front: first in, first out.
///
/// What is taken is let go of at once. Those behind it move up only when more than half of the places are empty, so each moves once on
/// average, however long the list is. An empty list holds no memory.
package struct FIFO<Element> {
  @usableFromInline var places: [Element?] = []
  /// How many places at the front are empty.
  @usableFromInline var gone = 0

  /// So few empty places are not worth a move.
  @usableFromInline static var keptPlaces: Int { 32 }

  /// An empty list.
  @inlinable package init() {}

  /// How many elements wait.
  @inlinable package var count: Int { places.count - gone }

  /// Whether none waits.
  @inlinable package var isEmpty: Bool { gone == places.count }

  /// The element that is taken next.
  @inlinable package var first: Element? { isEmpty ? nil : places[gone] }

  /// An element, counted from the front; nil where there is none.
  @inlinable package subscript(index: Int) -> Element? { index >= 0 && index < count ? places[gone + index] : nil }

  /// Adds an element at the back.
  @inlinable package mutating func append(_ element: Element) { places.append(element) }

  /// Takes the element at the front.
  @inlinable @discardableResult package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = places[gone].take()
    gone += 1
    if isEmpty {
      (places, gone) = ([], 0)
    } else if gone > Self.keptPlaces, gone > places.count / 2 {
      places.removeFirst(gone)
      gone = 0
    }
    return first
  }

  /// Puts an element in the place of another; nothing happens where there is none.
  @inlinable package mutating func replace(_ index: Int, with element: Element) {
    if index >= 0, index < count { places[gone + index] = element }
  }

  /// Takes an element out of the row, at the cost of moving those behind it.
  @inlinable @discardableResult package mutating func remove(_ index: Int) -> Element? {
    guard index >= 0, index < count else { return nil }
    let element = places.remove(at: gone + index)
    if isEmpty { (places, gone) = ([], 0) }
    return element
  }

  /// Finds the first element of a kind.
  ///
  /// - Parameters:
  ///   - start: Where the search begins, counted from the front.
  ///   - isWanted: Whether an element is of the kind.
  @inlinable package func firstIndex(from start: Int = 0, where isWanted: (Element) -> Bool) -> Int? {
    guard start >= 0, start < count else { return nil }
    return places[(gone + start)...].firstIndex { $0.map(isWanted) ?? false }.map { $0 - gone }
  }
}

extension FIFO: Sendable where Element: Sendable {}
