import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `participants ask who is here, others do not`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  fixture.moment.onlineUsers = Set(["ann", "cy", "eve"].map { UserID(stored: $0) })
  let here = ConversationOperation.here(limit: 2, after: nil)
  let call = fixture.begin(here, by: "bob")
  let page = PresentPage(users: ["ann", "cy"].map { UserID(stored: $0) }, count: 2, reachedEnd: true)
  expectEqual(fixture.actions.last, .replyWithPresent(call, page), "those who are online and take part")
  expectEqual(fixture.call(here, by: "eve")?.outcome, "102", "no participant")
  for limit in [0, 101] { expectEqual(fixture.call(.here(limit: limit, after: nil), by: "ann")?.outcome, "-32602 limit", "\(limit)") }
  fixture.mode = .waits
  fixture.begin(.text("x"), by: "ann")
  let later = fixture.begin(here, by: "bob")
  fixture.releaseAll()
  expect(fixture.actions.contains(.replyWithPresent(later, page)), "behind the commit")
}
