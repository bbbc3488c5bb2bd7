import ChatModel
import HTTPProtocol

/// What an upload says of the file, as far as the head of the request tells.
struct UploadRequest: Equatable {
  /// Bytes of the body.
  let length: Int
  let filename: String
  let mediaType: MediaType
  /// What the client wants it shown as; nil: as its type says.
  let kind: FileKind?
  let width: Int64?
  let height: Int64?
  let durationMs: Int64?

  /// Why it is refused.
  struct Refusal: Error, Equatable {
    let response: HTTPResponse

    init(_ status: Int, _ sentence: String) { response = .text(status, sentence) }
  }

  /// Reads the head of the request.
  init(_ request: RequestHead, _ query: QueryItems, _ settings: FileSettings) throws(Refusal) {
    length = try Self.length(request, settings)
    filename = try Self.filename(query["filename"])
    mediaType = try Self.mediaType(request, settings)
    kind = try Self.kind(query["subtype"])
    width = try Self.number(query, "width", upTo: Self.mostPixels)
    height = try Self.number(query, "height", upTo: Self.mostPixels)
    durationMs = try Self.duration(query["duration"])
    let known = ["filename", "subtype", "width", "height", "duration", "access"]
    if let unknown = query.items.first(where: { !known.contains($0.name) }) {
      // A text of the request never comes back in an answer; its place tells as much.
      let place = (query.items.firstIndex(of: unknown) ?? 0) + 1
      throw Refusal(400, "Parameter \(place) of the query is none of filename, subtype, width, height and duration")
    }
  }

  /// What is told of the file when its content is known.
  ///
  /// A type that would be shown in place, of bytes that are not such a thing, is not believed: the file is saved only.
  func details(of size: Int64, head: [UInt8]) -> FileDetails {
    let isBelieved = FileSignature.fits(mediaType, head)
    let type = isBelieved ? mediaType : .unknown
    // Speech is audio; anything else must be what its type says.
    let kind = type.kind == .audio && self.kind == .voice ? .voice : type.kind
    return FileDetails(
      filename: filename, size: size, mediaType: type, kind: kind, width: width, height: height, durationMs: durationMs)
  }

  private static let mostPixels: Int64 = 1_000_000
  /// Thirty days.
  private static let longestSeconds: Double = 2_592_000

  private static func length(_ request: RequestHead, _ settings: FileSettings) throws(Refusal) -> Int {
    // A length that is known beforehand is refused before it is sent, and counted against what there is room for.
    guard let length = request.contentLength else {
      throw Refusal(411, "Content-Length must say how long the file is; chunks are not taken")
    }
    guard length > 0 else { throw Refusal(400, "The body must be the file, and not be empty") }
    guard length <= settings.maxBytes else { throw Refusal(413, "A file must have at most \(settings.maxBytes) bytes (files.maxBytes)") }
    return length
  }

  private static func filename(_ name: String?) throws(Refusal) -> String {
    guard let name else { throw Refusal(400, "filename must stand in the query") }
    do throws(FileNameViolation) { try FileName.check(name) } catch { throw Refusal(400, "filename \(error.sentence)") }
    return name
  }

  private static func mediaType(_ request: RequestHead, _ settings: FileSettings) throws(Refusal) -> MediaType {
    let fields = request.values(of: "content-type")
    guard fields.count <= 1 else { throw Refusal(400, "There must be one Content-Type") }
    guard let field = fields.first, !field.isEmpty else { return try allowed(.unknown, settings) }
    guard let type = MediaType(field) else { throw Refusal(400, "Content-Type must be a media type such as image/png") }
    // A form has the file inside of it: kept as it is it would be no use to anybody.
    guard type.text != "multipart/form-data" else { throw Refusal(415, "The body must be the file itself, not a form") }
    return try allowed(type, settings)
  }

  private static func allowed(_ type: MediaType, _ settings: FileSettings) throws(Refusal) -> MediaType {
    guard settings.allows(type) else { throw Refusal(415, "Files of this type are not taken (files.types)") }
    return type
  }

  private static func kind(_ text: String?) throws(Refusal) -> FileKind? {
    guard let text else { return nil }
    guard let kind = FileKind(rawValue: text) else { throw Refusal(400, "subtype must be image, video, audio or voice") }
    return kind
  }

  private static func number(_ query: QueryItems, _ name: String, upTo limit: Int64) throws(Refusal) -> Int64? {
    guard let text = query[name] else { return nil }
    guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), (1...limit).contains(number)
    else { throw Refusal(400, "\(name) must be a whole number from 1 to \(limit)") }
    return number
  }

  private static func duration(_ text: String?) throws(Refusal) -> Int64? {
    guard let text else { return nil }
    guard text.utf8.count <= 20, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let seconds = Double(text),
      (0...longestSeconds).contains(seconds)
    else { throw Refusal(400, "duration must be seconds from 0 to \(Int(longestSeconds))") }
    return Int64((seconds * 1000).rounded())
  }
}
