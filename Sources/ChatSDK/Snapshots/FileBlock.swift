import ChatModel

/// A file that was uploaded, to be sent: `POST /files` of the gateway answers its token.
public struct SendFileBlock: Hashable, Sendable, SendContentBlock {
  public let fileToken: String

  public init(fileToken: String) { self.fileToken = fileToken }

  public var contentBlock: ContentBlock { .file(FileBlock(fileToken: fileToken)) }
}

/// A file in a message; it may be sent on.
public struct FileBlock: Hashable, Sendable, SendContentBlock {
  /// What a file is shown as.
  public enum Subtype: String, Hashable, Sendable, CaseIterable {
    case video
    case image
    case audio
    case voice
  }

  /// Nil where it is just a file.
  public let subtype: Subtype?
  /// Where it is, from the gateway's address on; fetching it needs a token.
  public let url: String
  /// Bytes.
  public let size: Int
  public let filename: String
  public let fileToken: String
  /// Pixels.
  public let width: Int?
  /// Pixels.
  public let height: Int?
  /// Seconds.
  public let duration: Double?

  public var contentBlock: ContentBlock { .file(self) }

  init(fileToken: String) {
    self.fileToken = fileToken
    url = "/files/\(fileToken)"
    filename = ""
    size = 0
    (subtype, width, height, duration) = (nil, nil, nil, nil)
  }

  init(_ block: ChatModel.FileBlock) {
    let details = block.details
    subtype = details?.kind.flatMap { Subtype(rawValue: $0.rawValue) }
    fileToken = block.file.text
    url = "/files/\(fileToken)"
    size = Int(clamping: details?.size ?? 0)
    filename = details?.filename ?? ""
    width = details?.width.map { Int(clamping: $0) }
    height = details?.height.map { Int(clamping: $0) }
    duration = details?.durationMs.map { Double($0) / 1000 }
  }

  func id() throws(ChatError) -> FileID {
    guard let id = FileID(fileToken) else { throw .invalid("content", "has a file whose token is none that an upload answered") }
    return id
  }
}
