import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Suite struct ConversationFilesTests {
  private static let details = FileDetails(filename: "a.txt", size: 3, mediaType: .unknown)

  private static func record(_ letter: Character, of user: String) -> FileRecord {
    FileRecord(
      id: FileID(stored: String(repeating: letter, count: 22)), hash: FileHash(digest: []), details: details,
      uploader: UserID(stored: user), createdAt: 1)
  }

  private static func block(_ letter: Character) -> [ContentBlock] {
    [.file(FileBlock(FileID(stored: String(repeating: letter, count: 22))))]
  }

  private static func begun() -> ConversationFixture {
    var fixture = ConversationFixture()
    for user in ["ann", "bob"] { fixture.call(.join, by: user) }
    expect(fixture.store.commit(ChangeSet([.putFile(record("a", of: "ann")), .putFile(record("b", of: "eve"))])), "files are there")
    return fixture
  }

  @Test func `a file is sent by who may see it, with what is told of it`() {
    var fixture = Self.begun()
    func send(_ letter: Character, key: String? = nil) -> ConversationOperation {
      .send(OutgoingMessage(content: Self.block(letter), clientMessageId: key))
    }
    expectEqual(fixture.call(send("b"), by: "ann")?.outcome, "104 content[0].fileToken", "another's")
    expectEqual(fixture.call(send("c"), by: "ann")?.outcome, "104 content[0].fileToken", "one that is not there")
    expectEqual(fixture.call(send("a"), by: "bob")?.outcome, "104 content[0].fileToken", "nobody sent it yet")
    var mute = Permissions()
    mute.files = false
    expectEqual(fixture.call(send("a"), by: "ann", .user, mute)?.outcome, "101 content[0]", "the role")
    for retry in [false, true] {
      guard case .success(.sent(let sent?, let isDuplicate))? = fixture.call(send("a", key: "k"), by: "ann") else {
        return expect(false, "sent")
      }
      expectEqual(isDuplicate, retry, "a retry is the same request")
      expectEqual(sent.content, [.file(FileBlock(Self.record("a", of: "ann").id, Self.details))], "its content")
      expectEqual(sent.plaintext, "", "its text")
    }
    expectEqual(fixture.call(send("a"), by: "bob")?.outcome, "ok", "who takes part may send it on")
    expectEqual(fixture.call(send("b"), by: "backend", .app)?.outcome, "ok", "the application sends every file")
    expectEqual(fixture.call(send("b"), by: "ann", .app, isActing: true)?.outcome, "ok", "also for somebody")
    let text = fixture.send("text", by: "bob")
    expectEqual(
      fixture.call(.editMessage(text, MessageEdit(content: Self.block("d"))), by: "bob")?.outcome, "104 content[0].fileToken", "edit")
    guard case .success(.message(let edited?))? = fixture.call(.editMessage(text, MessageEdit(content: Self.block("a"))), by: "bob") else {
      return expect(false, "edited")
    }
    expectEqual(edited.content, [.file(FileBlock(Self.record("a", of: "ann").id, Self.details))], "a text becomes a file")
  }
}
