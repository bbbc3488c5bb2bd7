import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct ListWalksTests {
  private static let ann = UserID(stored: "ann")

  private static func key(_ incarnation: UInt64) -> MachineKey {
    .list(ListName(user: ann, filter: nil), incarnation: incarnation)
  }

  @Test func `one looks at a time, the others in the order in which they came`() {
    var walks = ListWalks()
    let question = [StoreQuery.conversationList(Self.ann, after: nil, limit: 1)]
    expect(walks.begin(Self.key(1), question), "nobody is looking")
    expectEqual((2...4).map { walks.begin(Self.key($0), question) }, [false, false, false], "they wait")
    expectEqual((2...4).map { _ in walks.finished()?.0 }, (2...4).map { Self.key($0) }, "each in its turn")
    expect(walks.finished() == nil, "nobody waits")
    expect(walks.begin(Self.key(5), question), "nobody is looking again")
  }
}
