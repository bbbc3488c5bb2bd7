import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Test func `a page ends at its bytes, and one entry is shown however long`() {
  let half = ChatSettings.maxPageBytes / 2
  let table: [([Int], [Int], Bool)] = [
    ([], [], true), ([1, 2], [1, 2], true), ([half, half], [half, half], true), ([half, half, 1], [half, half], false),
    ([3 * half], [3 * half], true), ([3 * half, 1], [3 * half], false),
  ]
  for (sizes, shown, areAll) in table {
    let page = SnapshotBuilder.fitting(sizes) { $0 }
    expectEqual(page.shown, shown, "\(sizes)")
    expectEqual(page.areAll, areAll, "\(sizes)")
  }
  let (page, reachedEnd) = UserRange(after: UserID(stored: "a"), limit: 1).page(of: ["c", "a", "b"]) { UserID(stored: $0) }
  expectEqual(Array(page), ["b"], "behind a")
  expect(!reachedEnd, "c lies behind it")
}
