import ChatModel
import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct FileAnswersTests {
  private static func record(_ type: String, _ name: String = "a.png") -> FileRecord {
    FileRecord(
      id: FileID(stored: "abcdefghijklmnopqrstuv"), hash: FileHash(digest: []),
      details: FileDetails(filename: name, size: 10, mediaType: MediaType(stored: type), kind: .voice, width: 1, durationMs: 250),
      uploader: UserID(stored: "ann"), createdAt: 1)
  }

  private static func field(_ name: String, _ response: HTTPResponse) -> String? { response.fields.first { $0.name == name }?.value }

  @Test func `nothing of a file runs on the gateway's origin`() {
    for (type, shown) in [
      ("image/png", true), ("image/svg+xml", false), ("text/html", false), ("application/pdf", false), ("text/xml", false),
    ] {
      let response = FileAnswers.content(Self.record(type), 0..<10, isShared: false)
      expectEqual(response.status, 200, type)
      expectEqual(Self.field("Content-Type", response), shown ? type : "application/octet-stream", type)
      expectEqual(Self.field("Content-Disposition", response)?.hasPrefix(shown ? "inline;" : "attachment;"), true, type)
      expectEqual(Self.field("Content-Security-Policy", response)?.contains("sandbox"), true, type)
      expectEqual(Self.field("Cross-Origin-Resource-Policy", response), "same-origin", type)
      let head = String(decoding: response.headBytes(length: 10, keepsAlive: true), as: UTF8.self)
      expect(head.contains("X-Content-Type-Options: nosniff\r\n") && !head.contains("no-store"), head)
      expect(head.contains("Content-Length: 10\r\nConnection: keep-alive\r\n\r\n"), head)
    }
  }

  @Test func `a part says which`() {
    let response = FileAnswers.content(Self.record("video/mp4"), 2..<10, isShared: true)
    expectEqual(response.status, 206, "status")
    expectEqual(Self.field("Content-Range", response), "bytes 2-9/10", "range")
    expectEqual(Self.field("Cross-Origin-Resource-Policy", response), "cross-origin", "policy")
    expectEqual(Self.field("Content-Range", FileAnswers.outOfRange(10)), "bytes */10", "no such range")
    expectEqual(FileAnswers.unchanged(Self.record("a/b")).status, 304, "unchanged")
  }

  @Test func `refusals say for how long`() {
    typealias Refusal = UploadAdmission.Refusal
    for (refusal, status, wait) in [
      (Refusal.busy, 429, "5"), (.tooOften(retryAfterMs: 1_001), 429, "2"), (.tooOften(retryAfterMs: 1), 429, "1"), (.userIsFull, 507, nil),
      (.full, 507, nil),
    ] {
      let response = FileAnswers.refusal(refusal)
      expectEqual(response.status, status, "\(refusal)")
      expectEqual(Self.field("Retry-After", response), wait, "\(refusal)")
    }
    let body = String(decoding: FileAnswers.created(Self.record("audio/ogg", "\"a\"")).body, as: UTF8.self)
    expectEqual(
      body,
      #"{"fileToken":"abcdefghijklmnopqrstuv","filename":"\"a\"","size":10,"contentType":"audio/ogg","subtype":"voice","width":1,"duration":0.25}"#,
      "the answer to an upload")
  }

  @Test func `only pages of origins that were let in may read answers`() {
    let plain = CrossOriginAccess(RequestHead(target: "/files", host: "a"))
    expectEqual(plain.add(to: FileAnswers.missing), FileAnswers.missing, "no page asks")
    let page = CrossOriginAccess(RequestHead(target: "/files", host: "a", fields: [HeaderField("Origin", "https://b")]))
    expectEqual(Self.field("Access-Control-Allow-Origin", page.add(to: FileAnswers.missing)), "https://b", "a page")
    expectEqual([page.preflight.status, plain.preflight.status], [204, 204], "asked before")
    expectEqual(Self.field("Access-Control-Allow-Headers", page.preflight)?.contains("Authorization"), true, "headers")
  }

  @Test func `one token is looked for, in two places`() {
    let bearer = HeaderField("Authorization", "Bearer t")
    let rows: [([HeaderField], String, FileCredential?)] = [
      ([], "", FileCredential.none), ([bearer], "", .header("t")), ([], "access=t", .query("t")), ([bearer], "access=t", nil),
      ([bearer, bearer], "", nil), ([HeaderField("Authorization", "Basic t")], "", nil), ([], "token=t", FileCredential.none),
    ]
    for (fields, query, expected) in rows {
      guard let items = QueryItems(query) else { return expect(false, query) }
      let credential = FileCredential(RequestHead(target: "/files/a", host: "a", fields: fields), items)
      if let expected { expectEqual(credential, expected, query) } else if case .refused = credential {} else { expect(false, query) }
    }
  }
}
