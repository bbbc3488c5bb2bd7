import ChatModel
import TestSupport
import Testing

@Suite struct FileRecordTests {
  @Test func `a body tells its files, says nothing in plain text, and is refused to whose role has no files`() {
    let file = FileID(stored: "abcdefghijklmnopqrstuv")
    let details = FileDetails(filename: "a\"b.png", size: 3, mediaType: MediaType(stored: "image/png"), kind: .image, width: 1, height: 2)
    let record = FileRecord(
      id: file, hash: FileHash(digest: []), details: details, uploader: UserID(stored: "ann"), createdAt: 1)
    let content = [ContentBlock.file(FileBlock(record.id, record.details))]
    expectEqual(content.files, [file], "files")
    expectEqual(ContentBlock.plain("a").files, [], "of a text")
    expectEqual(content.plaintext, "", "plain text")
    expect(content.encodedSize > 300, "\(content.encodedSize)")
    var permissions = Permissions()
    for (allowed, expected) in [(true, ChatErrorKind?.none), (false, .forbidden)] {
      permissions.files = allowed
      var kind: ChatErrorKind?
      do throws(ContentFault) { try ContentCheck.check(content, maxTextLength: 1, permissions: permissions) } catch { kind = error.kind }
      expectEqual(kind, expected, "files: \(allowed)")
    }
  }
}
