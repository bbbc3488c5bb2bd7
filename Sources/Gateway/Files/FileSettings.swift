import ChatModel

/// What may be uploaded (`files` in the configuration).
package struct FileSettings: Hashable, Sendable {
  /// Bytes of a file.
  package var maxBytes = 10_485_760
  /// Patterns of media types, as in `image/*`.
  package var types = ["*/*"]
  /// Bytes of all files of a user; 0: no limit.
  package var bytesPerUser: Int64 = 1_073_741_824
  /// Bytes of all files; 0: no limit.
  package var totalBytes: Int64 = 10_737_418_240
  /// Files that a user may upload in a minute; 0: no limit.
  package var uploadsPerMinute = 30

  package init() {}

  /// Whether files of a type may be uploaded.
  func allows(_ type: MediaType) -> Bool { types.contains { type.matches($0) } }
}
