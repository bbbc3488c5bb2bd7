/// The name that somebody who mistyped one probably meant.
package enum NearestName {
  /// The candidate with the least edits to `name`, or nil where none is near; the first of equals wins.
  ///
  /// Near is a third of the letters or less, but at least two edits; case and separators do not count.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    let typed = folded(name)
    guard !typed.isEmpty, typed.count <= 200 else { return nil }
    let allowed = max(2, typed.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let letters = folded(candidate)
      // Each letter more or less is an edit: most candidates need not be looked at letter by letter.
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let edits = distance(typed, letters)
      guard edits <= allowed, edits < typed.count, edits < best?.edits ?? .max else { continue }
      best = (candidate, edits)
    }
    return best?.name
  }

  /// The number of single-letter edits, a swap of neighbours being one (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var twoBack: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var edits = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          edits = min(edits, twoBack[column - 1] + 1)
        }
        current.append(edits)
      }
      twoBack = previous
      previous = current
    }
    return previous[right.count]
  }

  private static func folded(_ name: String) -> [Character] {
    Array(name.lowercased().filter { $0 != "_" && $0 != "-" })
  }
}
