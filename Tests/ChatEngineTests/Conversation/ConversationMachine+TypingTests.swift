import ChatEngine
import ChatModel
import TestSupport
import Testing

private func typists(_ snapshot: TopicSnapshot?) -> [String] {
  switch snapshot {
  case .typing(.few(let users)?)?: users.map(\.name)
  case .typing(.many?)?: ["many"]
  case .typing(nil)?: ["nil"]
  default: ["nothing"]
  }
}

@Test func `typing is shown to the others and ends by itself`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  let watchers = ["ann", "bob", "eve"].map { fixture.subscribe(.typing, by: $0) }
  func seen(_ fixture: ConversationFixture) -> [[String]] { watchers.map { typists(fixture.last($0)) } }
  func count(_ fixture: ConversationFixture) -> Int { watchers.reduce(0) { $0 + (fixture.shown[$1]?.count ?? 0) } }
  expectEqual(seen(fixture), [[], [], ["nil"]], "nobody types")
  let commits = fixture.commits.count

  fixture.call(.markAsTyping, by: "ann")
  expectEqual(seen(fixture), [[], ["ANN"], ["nil"]], "ann types")
  fixture.pass(1_000)
  fixture.call(.startTyping, by: "bob")
  expectEqual(seen(fixture), [["BOB"], ["ANN"], ["nil"]], "bob too")
  let before = count(fixture)
  fixture.pass(4_000)
  fixture.call(.markAsTyping, by: "ann")
  fixture.call(.startTyping, by: "bob")
  expectEqual(count(fixture), before, "a renewal shows nothing")
  fixture.pass(4_999)
  expectEqual(seen(fixture), [["BOB"], ["ANN"], ["nil"]], "renewed")
  fixture.pass(1)
  expectEqual(seen(fixture), [[], ["ANN"], ["nil"]], "bob's lease ends after 5 s")
  fixture.call(.startTyping, by: "ann")
  fixture.call(.stopTyping, by: "ann")
  expectEqual(seen(fixture), [[], ["ANN"], ["nil"]], "stopTyping leaves the other lease")
  fixture.call(.startTyping, by: "bob")
  fixture.call(.stopTyping, by: "bob")
  fixture.call(.stopTyping, by: "bob")
  expectEqual(seen(fixture), [[], ["ANN"], ["nil"]], "bob stops")
  fixture.pass(5_000)
  expectEqual(seen(fixture), [[], [], ["nil"]], "ann's lease ends after 10 s")
  expectEqual(fixture.commits.count, commits, "nothing is stored")

  fixture.call(.markAsTyping, by: "ann")
  fixture.send("done", by: "ann")
  expectEqual(seen(fixture)[1], [], "sending ends it")
  fixture.call(.markAsTyping, by: "ann")
  fixture.goOffline("bob")
  fixture.goOffline("ann")
  expectEqual(seen(fixture)[1], [], "so does going offline")
  fixture.call(.markAsTyping, by: "cy")
  fixture.rename("cy", to: "Cyril")
  fixture.pass(100)
  expectEqual(seen(fixture), [["Cyril"], ["Cyril"], ["nil"]], "a typist is renamed")
  fixture.call(.deleteParticipant(UserID(stored: "cy")), by: "ann")
  expectEqual(seen(fixture), [[], [], ["nil"]], "removal ends it")
  fixture.call(.markAsTyping, by: "ann")
  fixture.call(.deleteParticipant(UserID(stored: "bob")), by: "bob")
  expectEqual(seen(fixture)[1], ["nil"], "who leaves sees nothing")
  fixture.call(.join, by: "eve")
  expectEqual(seen(fixture)[2], ["ANN"], "who joins sees all")
  expect(fixture.machine.hasTypists, "ann types")
}

@Test func `many typists are not named`() {
  let users = (1...8).map { "u\($0)" }
  var fixture = ConversationFixture(users: users)
  for user in users { fixture.call(.join, by: user) }
  let outside = fixture.subscribe(.typing, by: "u8")
  let inside = fixture.subscribe(.typing, by: "u1")
  for user in users.prefix(7) { fixture.call(.markAsTyping, by: user) }
  expectEqual(fixture.shown[outside].map { $0.map(typists) }?.last, ["many"], "six and more")
  expectEqual(fixture.shown[outside]?.count, 7, "nothing while it stays many")
  expectEqual(typists(fixture.last(inside)), ["many"], "six others")
  fixture.send("done", by: "u3")
  expectEqual(typists(fixture.last(inside)), ["U2", "U4", "U5", "U6", "U7"], "five others, longest first")
  expectEqual(typists(fixture.last(outside)), ["many"], "six for the one who does not type")

  var open = ConversationFixture()
  open.call(.createIfNotExists(NewConversation(type: .public)), by: "ann")
  expectEqual(open.call(.markAsTyping, by: "ann")?.outcome, "ok", "in public")
  for operation in [ConversationOperation.markAsTyping, .startTyping, .stopTyping] {
    expectEqual(open.call(operation, by: "backend", .app)?.outcome, "102", "a backend without a place: \(operation)")
    expectEqual(open.call(operation, by: "eve")?.outcome, "102", "a stranger: \(operation)")
  }
  let refusal = ChatError(.forbidden, "Typing indicators are not supported in Public chats.")
  expectEqual(open.call(.startTyping, by: "ann"), .failure(refusal), "the seed's sentence")
  expectEqual(open.call(.stopTyping, by: "ann"), .failure(refusal), "for both")
}
