import ChatModel
import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct UploadRequestTests {
  private static func read(
    _ query: String, type: String? = "image/png", body: RequestHead.Body = .length(10), _ settings: FileSettings = FileSettings()
  ) -> Result<UploadRequest, UploadRequest.Refusal> {
    let fields = type.map { [HeaderField("Content-Type", $0)] } ?? []
    let request = RequestHead(method: "POST", target: "/files", host: "a", fields: fields, body: body)
    guard let items = QueryItems(query) else { return .failure(UploadRequest.Refusal(400, "query")) }
    do throws(UploadRequest.Refusal) { return .success(try UploadRequest(request, items, settings)) } catch { return .failure(error) }
  }

  private static func status(_ result: Result<UploadRequest, UploadRequest.Refusal>) -> Int {
    switch result {
    case .success: 201
    case .failure(let refusal): refusal.response.status
    }
  }

  @Test func `the head of an upload says what the file is`() throws {
    let request = try Self.read("filename=a+b.png&subtype=image&width=640&height=480&duration=1.5").get()
    expectEqual(
      request.details(of: 10, head: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      FileDetails(
        filename: "a b.png", size: 10, mediaType: MediaType(stored: "image/png"), kind: .image, width: 640, height: 480, durationMs: 1_500),
      "an image")
    let page = request.details(of: 10, head: Array("<html>".utf8))
    expectEqual([page.mediaType.text, page.kind?.rawValue], ["application/octet-stream", nil], "no image at all")
    let voice = try Self.read("filename=a&subtype=voice", type: "audio/ogg; codecs=opus").get()
    expectEqual(voice.details(of: 1, head: Array("OggS".utf8)).kind, .voice, "voice")
    expectEqual(try Self.read("filename=a&subtype=image", type: "text/html").get().details(of: 1, head: []).kind, nil, "no image by word")
  }

  @Test func `what cannot be is refused before the body comes`() {
    let long = String(repeating: "x", count: 201)
    let rows: [(String, Int)] = [
      ("filename=a", 201), ("filename=a&access=t", 201), ("", 400), ("filename=", 400), ("filename=..", 400), ("filename=..%2Fa", 400),
      ("filename=a%5Cb", 400), ("filename=a%00", 400), ("filename=\(long)", 400), ("filename=a&subtype=x", 400),
      ("filename=a&width=0", 400),
      ("filename=a&width=-1", 400), ("filename=a&width=1e3", 400), ("filename=a&height=99999999999", 400), ("filename=a&duration=-1", 400),
      ("filename=a&duration=nan", 400), ("filename=a&duration=2592001", 400), ("filename=a&duration=..", 400), ("filename=a&x=1", 400),
    ]
    for (query, status) in rows { expectEqual(Self.status(Self.read(query)), status, query) }
    let bodies: [(RequestHead.Body, Int)] = [
      (.none, 400), (.chunked, 411), (.length(10_485_760), 201), (.length(10_485_761), 413), (.length(.max), 413),
    ]
    for (body, status) in bodies { expectEqual(Self.status(Self.read("filename=a", body: body)), status, "\(body)") }
    let types: [(String?, Int)] = [
      (nil, 415), ("", 415), ("image/gif", 201), ("IMAGE/GIF;x=y", 201), ("image/svg+xml", 201), ("text/html", 415),
      ("multipart/form-data; boundary=x", 415), ("nonsense", 400),
    ]
    var settings = FileSettings()
    settings.types = ["image/*"]
    for (type, status) in types { expectEqual(Self.status(Self.read("filename=a", type: type, settings)), status, type ?? "none") }
    expectEqual(Self.status(Self.read("filename=a", type: "multipart/form-data")), 415, "a form")
    expectEqual(Self.status(Self.read("filename=a", type: nil)), 201, "no type")
  }
}
