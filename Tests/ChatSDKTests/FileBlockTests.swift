import ChatModel
import TestSupport
import Testing

@testable import ChatSDK

@Suite struct FileBlockTests {
  private static let token = "abcdefghijklmnopqrstuv"

  @Test func `a file is sent by its token, and one that came may be sent on`() throws {
    let details = FileDetails(
      filename: "a.ogg", size: 5, mediaType: .unknown, kind: .voice, width: 1, height: 2, durationMs: 1_500)
    let model = ChatModel.ContentBlock.file(ChatModel.FileBlock(FileID(stored: Self.token), details))
    guard case .file(let block) = ContentBlock(model) else { return expect(false, "a file") }
    expectEqual([block.subtype?.rawValue, block.url, block.filename], ["voice", "/files/\(Self.token)", "a.ogg"], "texts")
    expectEqual([block.size, block.width, block.height], [5, 1, 2], "numbers")
    expectEqual(block.duration, 1.5, "seconds")
    let sent = ChatModel.ContentBlock.file(ChatModel.FileBlock(FileID(stored: Self.token)))
    for part: any SendContentBlock in [block, SendFileBlock(fileToken: Self.token)] {
      expectEqual(try part.contentBlock.model(), sent, "what is sent")
    }
    expect((try? SendFileBlock(fileToken: "nonsense").contentBlock.model()) == nil, "no token")
  }
}
