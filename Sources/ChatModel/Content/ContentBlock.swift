/// A part of a message's body.
///
/// Exactly one a message today; the type allows more.
package enum ContentBlock: Hashable, Sendable {
  /// Text, as nodes in reading order.
  case text([TextNode])
  case location(Location)
  case file(FileBlock)

  /// The body of a message that is nothing but characters.
  package static func plain(_ text: String) -> [ContentBlock] { [.text([.plain(text)])] }
}

/// A file in a message.
package struct FileBlock: Hashable, Sendable {
  package let file: FileID
  /// What is told of the file; nil until it was looked up: what a client sends has none.
  package let details: FileDetails?

  package init(_ file: FileID, _ details: FileDetails? = nil) {
    self.file = file
    self.details = details
  }
}

/// A place on earth, in degrees.
package struct Location: Hashable, Sendable {
  package let latitude: Double
  package let longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension [ContentBlock] {
  /// The files in the body.
  package var files: [FileID] {
    compactMap { block in
      guard case .file(let block) = block else { return nil }
      return block.file
    }
  }

  /// The text of a body that is nothing but characters; nil for all others.
  ///
  /// Most bodies are: what is done to each asks this first, and then needs no look at the nodes.
  package var plain: String? {
    guard count == 1, case .text(let nodes) = self[0], nodes.count == 1, case .plain(let text) = nodes[0] else { return nil }
    return text
  }
}
