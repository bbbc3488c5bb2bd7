import ChatModel

/// How a file's row is written and read.
enum FileRow {
  /// The columns in the order of `bind` and `read`.
  static let columns = "id, hash, filename, size, media_type, kind, width, height, duration_ms, uploader, created_at"

  /// Binds `columns`.
  static func bind(_ record: FileRecord, to statement: Statement) {
    let details = record.details
    statement.bind(record.id.text)
    statement.bind(record.hash.text)
    statement.bind(details.filename)
    statement.bind(details.size)
    statement.bind(details.mediaType.text)
    statement.bind(details.kind?.rawValue)
    statement.bind(details.width)
    statement.bind(details.height)
    statement.bind(details.durationMs)
    statement.bind(record.uploader.text)
    statement.bind(record.createdAt)
  }

  /// Reads `columns`; nil where the row has what no version wrote.
  static func read(_ statement: Statement) -> FileRecord? {
    let id = FileID(stored: statement.text())
    let hash = FileHash(statement.text())
    let details = FileDetails(
      filename: statement.text(), size: statement.integer(), mediaType: MediaType(stored: statement.text()),
      kind: statement.optionalText().flatMap(FileKind.init(rawValue:)), width: statement.optionalInteger(),
      height: statement.optionalInteger(), durationMs: statement.optionalInteger())
    let uploader = UserID(stored: statement.text())
    let createdAt = statement.integer()
    return hash.map { FileRecord(id: id, hash: $0, details: details, uploader: uploader, createdAt: createdAt) }
  }
}
