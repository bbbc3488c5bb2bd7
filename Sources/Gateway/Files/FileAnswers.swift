import ChatModel
import HTTPProtocol
import JSON

/// The answers of the addresses of files.
enum FileAnswers {
  /// There is no such file, or it is not for the caller: which of the two is nobody's business.
  static let missing = HTTPResponse.text(404, "There is no such file, or it is not for you")
  static let revoked = HTTPResponse.text(401, "The token was revoked; ask for a new one", fields: [.bearerChallenge])
  static let noToken = HTTPResponse.text(401, "A token is needed: Authorization: Bearer", fields: [.bearerChallenge])
  static let forbidden = HTTPResponse.text(403, "Your role does not let you send files")
  static let badQuery = HTTPResponse.text(400, "The query must be pairs of names and values, each name once, escaped as UTF-8")
  static let diskFull = HTTPResponse.text(507, "The disk of the server is full; nothing of the file was kept")
  static let failed = HTTPResponse.text(503, "The file could not be kept or read; try again", fields: [HeaderField("Retry-After", "1")])

  /// Why an upload may not begin.
  static func refusal(_ refusal: UploadAdmission.Refusal) -> HTTPResponse {
    switch refusal {
    case .busy: .text(429, "Too many uploads run; try again when they are done", fields: [HeaderField("Retry-After", "5")])
    case .tooOften(let wait):
      .text(429, "Too many uploads in a minute", fields: [HeaderField("Retry-After", String(max(1, (wait + 999) / 1000)))])
    case .userIsFull: .text(507, "Your files take up all the room that a user has (files.bytesPerUser)")
    case .full: .text(507, "There is no room for more files (files.totalBytes)")
    }
  }

  /// The file is kept.
  static func created(_ record: FileRecord) -> HTTPResponse {
    let details = record.details
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.field("fileToken", record.id.text)
    writer.field("filename", details.filename)
    writer.field("size", details.size)
    writer.field("contentType", details.mediaType.text)
    writer.field("subtype", ifPresent: details.kind?.rawValue)
    writer.field("width", ifPresent: details.width)
    writer.field("height", ifPresent: details.height)
    if let duration = details.durationMs { writer.field("duration", Double(duration) / 1000) }
    writer.endObject()
    return HTTPResponse(status: 201, fields: [HeaderField("Content-Type", "application/json")], body: writer.bytes)
  }

  /// The head of an answer with a file, or some of it.
  ///
  /// Whatever is in the file, nothing of it runs on the gateway's origin: only types that are pictures and sounds are shown in place, no type
  /// is guessed, and what is opened by itself is opened in a sandbox.
  static func content(_ record: FileRecord, _ range: Range<Int64>, isShared: Bool) -> HTTPResponse {
    let details = record.details
    let isPart = range != 0..<details.size
    var fields = [
      HeaderField("Content-Type", details.mediaType.isShown ? details.mediaType.text : MediaType.unknown.text),
      HeaderField("Content-Disposition", ContentDisposition.value(isShown: details.mediaType.isShown, filename: details.filename)),
      HeaderField("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
      HeaderField("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"),
      HeaderField("Accept-Ranges", "bytes"),
      // Kept by the browser, and asked about each time: who was removed meanwhile does not get it any more.
      HeaderField("Cache-Control", "private, no-cache"),
      HeaderField("ETag", tag(of: record)),
    ]
    if isPart { fields.append(HeaderField("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(details.size)")) }
    return HTTPResponse(status: isPart ? 206 : 200, fields: fields, body: [])
  }

  /// The browser has the file already.
  static func unchanged(_ record: FileRecord) -> HTTPResponse {
    HTTPResponse(status: 304, fields: [HeaderField("ETag", tag(of: record)), HeaderField("Cache-Control", "private, no-cache")], body: [])
  }

  /// The range begins behind the end.
  static func outOfRange(_ size: Int64) -> HTTPResponse {
    .text(416, "The file has no such bytes", fields: [HeaderField("Content-Range", "bytes */\(size)")])
  }

  /// Names the content; a file's never changes.
  static func tag(of record: FileRecord) -> String { "\"\(record.id.text)\"" }
}
