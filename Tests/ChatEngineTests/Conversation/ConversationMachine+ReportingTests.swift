import ChatEngine
import ChatModel
import TestSupport
import Testing

private let moderator: Permissions = {
  var permissions = Permissions()
  permissions.moderate = true
  return permissions
}()

@Test func `participants report messages, and moderators read what they said then`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  fixture.call(.setParticipant(UserID(stored: "cy"), ParticipantPatch(access: .set(.read))), by: "ann")
  fixture.call(.restrict(UserID(stored: "bob"), Restriction(isMuted: true)), by: "dan", .user, moderator)
  let long = fixture.send(String(repeating: "é", count: 1_001), by: "ann")
  fixture.call(.text("notice"), by: "backend", .app)
  let notice = MessageID(long.number + 1, in: fixture.id)
  let gone = fixture.send("gone", by: "ann")
  fixture.call(.deleteMessage(gone), by: "ann")
  let report = { ConversationOperation.report($0, reason: "spam") }
  let table: [(String, Caller.Kind, ConversationOperation, String)] = [
    ("bob", .user, report(long), "ok"), ("cy", .user, report(long), "ok"), ("ann", .user, report(notice), "ok"),
    ("eve", .user, report(long), "102"),
    ("backend", .app, report(long), "ok"), ("cy", .user, report(gone), "104 message"), ("cy", .user, report(.unknown("x")), "104 message"),
    ("cy", .user, .report(long, reason: String(repeating: "x", count: 501)), "107 reason"), ("bob", .user, report(long), "ok"),
  ]
  for (user, kind, operation, expected) in table {
    expectEqual(fixture.call(operation, by: user, kind)?.outcome, expected, "\(operation) by \(user)")
  }
  fixture.call(.deleteMessage(long), by: "ann")

  func listed(_ range: ReportRange) -> [String] {
    var fixture = fixture
    let call = fixture.begin(.listReports(range), by: "dan", .user, moderator)
    guard case .replyWithReports(call, fixture.id, let query)? = fixture.actions.last,
      case .reports(let page) = fixture.store.answer(query),
      case .reports(let reports, let isAll) = SnapshotBuilder.reports(page, in: fixture.id)
    else { return ["no page"] }
    return reports.map { "\($0.reporter.name) \($0.sender?.name ?? "-") \($0.text.count)" } + [isAll ? "all" : "more"]
  }
  expectEqual(
    listed(ReportRange(limit: 9)), ["BOB ANN 1000", "BACKEND ANN 1000", "ANN - 6", "CY ANN 1000", "all"], "newest first, one of each")
  expectEqual(listed(ReportRange(limit: 1)), ["BOB ANN 1000", "more"], "a page")
  var revision: Int64 = 0
  for commit in fixture.commits {
    for case .putReport(_, let report) in commit.changes { revision = max(revision, report.revision) }
  }
  expectEqual(listed(ReportRange(before: MessageID(revision, in: fixture.id), limit: 1)), ["BACKEND ANN 1000", "more"], "behind the first")
  let dismiss = ConversationOperation.dismissReports(long)
  let calls: [(String, Permissions, ConversationOperation, String)] = [
    ("dan", moderator, .listReports(ReportRange(before: .unknown("x"), limit: 1)), "104 before"),
    ("ann", Permissions(), .listReports(ReportRange(limit: 1)), "101"), ("eve", Permissions(), .listReports(ReportRange(limit: 1)), "102"),
    ("ann", Permissions(), dismiss, "101"), ("eve", Permissions(), dismiss, "102"),
    ("dan", moderator, .dismissReports(.unknown("x")), "ok"),
    ("dan", moderator, dismiss, "ok"), ("dan", moderator, dismiss, "ok"),
  ]
  for (user, permissions, operation, expected) in calls {
    expectEqual(fixture.call(operation, by: user, .user, permissions)?.outcome, expected, "\(operation) by \(user)")
  }
  expectEqual(listed(ReportRange(limit: 9)), ["ANN - 6", "all"], "the others are dismissed")
}

@Test func `a page of reports behind a change waits for it, and erased users are shown by their ids`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  let message = fixture.send("x", by: "ann")
  fixture.mode = .waits
  fixture.begin(.report(message, reason: "r"), by: "ann")
  let call = fixture.begin(.listReports(ReportRange(limit: 1)), by: "backend", .app)
  fixture.releaseAll()
  expect(fixture.actions.contains(.replyWithReports(call, fixture.id, .reports(fixture.id, before: nil, limit: 1))), "behind the commit")
  let record = ReportRecord(
    revision: 1, message: 1, sender: UserID(stored: "s"), text: "", reporter: UserID(stored: "t"), reason: "", reportedAt: 1)
  guard
    case .reports(let reports, false) = SnapshotBuilder.reports(ReportPage(reports: [record], users: [], reachedEnd: false), in: fixture.id)
  else { return expect(false, "reports") }
  expectEqual(reports.flatMap { [$0.sender?.name, $0.reporter.name] }, ["s", "t"], "their ids")
}
