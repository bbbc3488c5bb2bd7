/// What a file is shown as.
package enum FileKind: String, Hashable, Sendable, CaseIterable {
  case video
  case image
  case audio
  /// Audio that somebody recorded to say something.
  case voice
}

/// What is told of a file to those who may see it.
package struct FileDetails: Hashable, Sendable {
  /// The name that it was uploaded with; never the name of anything on the server.
  package var filename: String
  /// Bytes.
  package var size: Int64
  package var mediaType: MediaType
  /// Nil where it is shown as a file.
  package var kind: FileKind?
  /// Pixels.
  package var width: Int64?
  /// Pixels.
  package var height: Int64?
  package var durationMs: Int64?

  package init(
    filename: String, size: Int64, mediaType: MediaType, kind: FileKind? = nil, width: Int64? = nil, height: Int64? = nil,
    durationMs: Int64? = nil
  ) {
    self.filename = filename
    self.size = size
    self.mediaType = mediaType
    self.kind = kind
    self.width = width
    self.height = height
    self.durationMs = durationMs
  }
}

/// A file as it is kept: what is told of it, where its bytes are, and whose it is.
package struct FileRecord: Hashable, Sendable {
  package let id: FileID
  package let hash: FileHash
  package var details: FileDetails
  /// Who uploaded it.
  package let uploader: UserID
  package let createdAt: Timestamp

  package init(id: FileID, hash: FileHash, details: FileDetails, uploader: UserID, createdAt: Timestamp) {
    self.id = id
    self.hash = hash
    self.details = details
    self.uploader = uploader
    self.createdAt = createdAt
  }
}
