import ChatModel

/// A part of a message that may be sent.
public protocol SendContentBlock: Sendable {
  /// The part as it is received.
  var contentBlock: ContentBlock { get }
}

/// A part of a message; one that was received may be sent again.
public enum ContentBlock: Hashable, Sendable, SendContentBlock {
  case text(TextBlock)
  case location(LocationBlock)
  case file(FileBlock)

  public var contentBlock: ContentBlock { self }

  init(_ block: ChatModel.ContentBlock) {
    switch block {
    case .text(let nodes): self = .text(TextBlock(children: nodes.map(TextNode.init)))
    case .location(let place): self = .location(LocationBlock(latitude: place.latitude, longitude: place.longitude))
    case .file(let file): self = .file(FileBlock(file))
    }
  }

  func model() throws(ChatError) -> ChatModel.ContentBlock {
    switch self {
    case .text(let block): .text(try TextNode.models(block.children))
    case .location(let block): .location(Location(latitude: block.latitude, longitude: block.longitude))
    case .file(let block): .file(ChatModel.FileBlock(try block.id()))
    }
  }
}

/// A text, as nodes in reading order.
public struct TextBlock: Hashable, Sendable, SendContentBlock {
  public let children: [TextNode]

  public init(children: [TextNode]) { self.children = children }

  public var contentBlock: ContentBlock { .text(self) }
}

/// A place on earth, in degrees.
public struct LocationBlock: Hashable, Sendable, SendContentBlock {
  public let latitude: Double
  public let longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  public var contentBlock: ContentBlock { .location(self) }
}
