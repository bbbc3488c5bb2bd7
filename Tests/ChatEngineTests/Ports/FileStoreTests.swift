import ChatEngine
import ChatModel
import TestSupport
import Testing

@Suite struct FileStoreTests {
  @Test func `a content is what was taken of it, and nothing is kept at first`() {
    let content = FileContent(hash: FileHash(digest: []), size: 3, head: [1, 2, 3])
    expectEqual([content.size, Int64(content.head.count)], [3, 3], "what was taken")
    expectEqual([FileFigures().bytes, Int64(FileFigures().contents)], [0, 0], "nothing")
  }
}
