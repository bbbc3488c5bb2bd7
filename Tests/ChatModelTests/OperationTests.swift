import ChatModel
import TestSupport
import Testing

@Test func `callers and patches begin with their defaults`() {
  let origins = Caller.Kind.allCases.map { Caller(user: UserID(stored: "u"), kind: $0, permissions: Permissions()).origin }
  expectEqual(origins, [.web, .bot, .rest, .web], "where messages come from: user, bot, app, guest")
  let role = Permissions()
  expectEqual([role.send, role.react, role.reply, role.edit, role.delete], [.all, .all, .all, .own, .own], "the default role")
  expectEqual(
    [role.files, role.locations, role.links, role.moderate, role.manageUsers, role.manageConversations],
    [true, true, false, false, false, false], "its switches")

  var patch = ConversationPatch()
  expect(!patch.changesConversation, "nothing")
  patch.own.notify = .set(.never)
  expect(!patch.changesConversation, "the own place only")
  let changes: [(inout ConversationPatch) -> Void] = [
    { $0.subject = .reset }, { $0.photoUrl = .reset }, { $0.welcomeMessages = .reset }, { $0.custom = .clear },
  ]
  for change in changes {
    var changed = ConversationPatch()
    change(&changed)
    expect(changed.changesConversation, "\(changed)")
  }
  expect(!NewConversation().isServerMade && NewConversation().with == nil, "a new conversation")
  expect(OutgoingMessage(content: []).custom.isEmpty && MessageEdit().content == nil, "messages")
  expectEqual(HistoryRange(start: .newest, limit: 3).limit, 3, "a range")
  expectEqual(UserPatch().name, nil, "a user's patch")
  let settings = ChatSettings()
  expectEqual([settings.messages.initial, settings.messages.maxPage, settings.messages.defaultPage], [10, 100, 30], "windows")
}
