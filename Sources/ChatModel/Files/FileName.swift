/// Why a text cannot be the name of a file.
package enum FileNameViolation: Error, Equatable, Sendable, CaseIterable {
  case empty
  case tooLong
  case path
  case forbiddenCharacter

  /// What is wrong and what would be right, for people.
  package var sentence: String {
    switch self {
    case .empty: "must not be empty or white space"
    case .tooLong: "must have at most \(FileName.maxScalars) characters"
    case .path: "must be a name without / and \\, and neither . nor .."
    case .forbiddenCharacter: "must not contain a control character, a line separator or a change of the writing direction"
    }
  }
}

/// The rule for names of files: they are shown, and clients save files under them.
package enum FileName {
  package static let maxScalars = 200

  /// Checks a name.
  package static func check(_ name: String) throws(FileNameViolation) {
    var count = 0
    var isVisible = false
    for scalar in name.unicodeScalars {
      count += 1
      if scalar == "/" || scalar == "\\" { throw .path }
      if isForbidden(scalar) { throw .forbiddenCharacter }
      if !scalar.properties.isWhitespace { isVisible = true }
    }
    guard isVisible else { throw .empty }
    guard count <= maxScalars else { throw .tooLong }
    guard name != ".", name != ".." else { throw .path }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
    // With these a name ends in other letters than it seems to.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // No character at all.
    case 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
