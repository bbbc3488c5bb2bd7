import ChatEngine
import ChatModel
import TestSupport
import Testing

/// A group in which ann and bob write, cy may only read, and eve takes no part.
///
/// Ann sent message `mine`, the application `notice`.
private struct Stage {
  var fixture: ConversationFixture
  let mine: MessageID
  let bobs: MessageID
  let notice: MessageID
  let missing: MessageID

  init(_ settings: ChatSettings = ChatSettings()) {
    var fixture = ConversationFixture(settings: settings)
    fixture.call(.join, by: "ann", .app)
    for user in ["bob", "cy"] { fixture.call(.createParticipant(UserID(stored: user), ParticipantPatch()), by: "ann", .app) }
    fixture.call(.setParticipant(UserID(stored: "cy"), ParticipantPatch(access: .set(.read))), by: "ann", .app)
    mine = fixture.send("mine", by: "ann")
    bobs = fixture.send("bob's", by: "bob")
    fixture.call(.text("notice"), by: "backend", .app)
    notice = MessageID(bobs.number + 1, in: fixture.id)
    missing = MessageID(1, in: fixture.id)
    self.fixture = fixture
  }
}

@Test func `who may call what`() {
  let stage = Stage()
  let other = UserID(stored: "dan")
  let bob = UserID(stored: "bob")
  let quiet = ParticipantPatch(notify: .set(.never))
  var subject = ConversationPatch()
  subject.subject = .set("new")
  var ownNotify = ConversationPatch()
  ownNotify.own = quiet
  let edit = MessageEdit(content: ContentBlock.plain("edited"))
  let like = ReactionEmoji(stored: "\u{1F44D}")
  // Columns: ann (writes), cy (reads), eve (stranger), the application without a place.
  let table: [(String, ConversationOperation, [String])] = [
    ("create", .join, ["ok", "ok", "ok", "ok"]),
    ("set", .set(subject), ["ok", "103", "ok", "ok"]),
    ("set own notify", .set(ownNotify), ["ok", "ok", "ok", "ok"]),
    ("deleteFields", .deleteFields([.subject]), ["ok", "103", "102", "ok"]),
    ("deleteFields notify", .deleteFields([.notify]), ["ok", "ok", "102", "ok"]),
    ("deleteFields access", .deleteFields([.access]), ["ok", "101 access", "102", "ok"]),
    ("get", .get, ["ok", "ok", "ok", "ok"]),
    ("delete", .delete, ["101", "101", "102", "ok"]),
    ("send", .text("hello"), ["ok", "103", "102", "ok"]),
    ("history", .history(HistoryRange(start: .newest, limit: 1)), ["ok", "ok", "102", "ok"]),
    ("markAsRead", .markAsRead(upTo: nil), ["ok", "ok", "102", "ok"]),
    ("markAsUnread", .markAsUnread, ["ok", "ok", "102", "ok"]),
    ("markAsTyping", .markAsTyping, ["ok", "103", "102", "102"]),
    ("startTyping", .startTyping, ["ok", "103", "102", "102"]),
    ("stopTyping", .stopTyping, ["ok", "103", "102", "102"]),
    ("getMessage", .getMessage(stage.mine), ["ok", "ok", "ok", "ok"]),
    ("edit own", .editMessage(stage.mine, edit), ["ok", "103", "102", "ok"]),
    ("edit another's", .editMessage(stage.bobs, edit), ["101", "103", "102", "ok"]),
    ("edit a notice", .editMessage(stage.notice, edit), ["101", "103", "102", "101"]),
    ("edit the missing", .editMessage(stage.missing, edit), ["104 message", "103", "102", "104 message"]),
    ("edit nothing", .editMessage(stage.mine, MessageEdit()), ["-32602 text", "103", "102", "-32602 text"]),
    ("delete own", .deleteMessage(stage.mine), ["ok", "103", "102", "ok"]),
    ("delete another's", .deleteMessage(stage.bobs), ["101", "103", "102", "ok"]),
    ("delete a notice", .deleteMessage(stage.notice), ["101", "103", "102", "ok"]),
    ("delete the missing", .deleteMessage(stage.missing), ["ok", "103", "102", "ok"]),
    ("delete message fields", .deleteMessageFields(stage.mine, [.custom, .customKey("a")]), ["ok", "103", "102", "ok"]),
    ("react", .addReaction(stage.bobs, like), ["ok", "103", "102", "102"]),
    ("react to a notice", .addReaction(stage.notice, like), ["101 message", "103", "102", "102"]),
    ("react to the missing", .addReaction(stage.missing, like), ["104 message", "103", "102", "102"]),
    ("take a reaction back", .removeReaction(stage.bobs, like), ["ok", "103", "102", "102"]),
    ("take one back from the missing", .removeReaction(stage.missing, like), ["104 message", "103", "102", "102"]),
    ("pin", .pin(stage.notice), ["ok", "103", "102", "ok"]),
    ("pin the missing", .pin(stage.missing), ["104 message", "103", "102", "104 message"]),
    ("unpin", .unpin, ["ok", "103", "102", "ok"]),
    ("get another", .getParticipant(bob), ["ok", "ok", "102", "ok"]),
    ("get oneself", .getParticipant(UserID(stored: "eve")), ["ok", "ok", "ok", "ok"]),
    ("add", .createParticipant(other, quiet), ["ok", "103", "102", "ok"]),
    ("add the present", .createParticipant(bob, quiet), ["ok", "103", "102", "ok"]),
    ("add the unknown", .createParticipant(UserID(stored: "nobody"), quiet), ["104 user", "103", "102", "104 user"]),
    ("set another", .setParticipant(bob, quiet), ["ok", "103", "102", "ok"]),
    ("set the absent", .setParticipant(other, quiet), ["ok", "103", "102", "ok"]),
    ("set the unknown", .setParticipant(UserID(stored: "nobody"), quiet), ["104 user", "103", "102", "104 user"]),
    ("edit another", .editParticipant(bob, quiet), ["ok", "103", "102", "ok"]),
    ("edit the absent", .editParticipant(other, quiet), ["104 user", "103", "102", "104 user"]),
    ("raise cy", .editParticipant(UserID(stored: "cy"), ParticipantPatch(access: .set(.readWrite))), ["ok", "101 access", "102", "ok"]),
    ("lower cy", .setParticipant(UserID(stored: "cy"), ParticipantPatch(access: .set(.read))), ["ok", "103", "102", "ok"]),
    ("quiet cy", .editParticipant(UserID(stored: "cy"), quiet), ["ok", "ok", "102", "ok"]),
    ("reset cy", .deleteParticipantFields(UserID(stored: "cy"), [.access, .notify]), ["ok", "101 access", "102", "ok"]),
    ("remove another", .deleteParticipant(bob), ["ok", "103", "102", "ok"]),
    ("remove the absent", .deleteParticipant(other), ["ok", "103", "102", "ok"]),
    ("remove cy", .deleteParticipant(UserID(stored: "cy")), ["ok", "ok", "102", "ok"]),
  ]
  for (name, operation, expected) in table {
    for (index, user) in ["ann", "cy", "eve", "backend"].enumerated() {
      var fixture = stage.fixture
      // A page of history is the store's to answer.
      let reply = fixture.call(operation, by: user, user == "backend" ? .app : .user)
      let outcome = fixture.histories.isEmpty ? reply?.outcome : "ok"
      expectEqual(outcome, expected[index], "\(name) by \(user)")
    }
  }
}

@Test func `a backend that acts for a user may do what the user may who takes part`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  let first = fixture.send("first", by: "ann")
  let table: [(ConversationOperation, [String])] = [
    (.text("x"), ["ok", "102", "104 actAs"]), (.markAsRead(upTo: nil), ["ok", "102", "104 actAs"]),
    (.markAsTyping, ["ok", "102", "104 actAs"]), (.editMessage(first, MessageEdit(custom: .clear)), ["ok", "102", "104 actAs"]),
    (.deleteParticipant(UserID(stored: "bob")), ["ok", "102", "104 actAs"]), (.getMessage(first), ["ok", "ok", "ok"]),
    (.deleteFields([.subject]), ["ok", "102", "104 actAs"]),
  ]
  for (operation, expected) in table {
    for (user, outcome) in zip(["ann", "eve", "nobody"], expected) {
      expectEqual(fixture.call(operation, by: user, .app, isActing: true)?.outcome, outcome, "\(operation) for \(user)")
    }
  }
  expectEqual(fixture.call(.get, by: "eve", .app, isActing: true), .success(.conversation(nil)), "what eve sees of it")
  expectEqual(fixture.call(.getMessage(first), by: "eve", .app, isActing: true), .success(.message(nil)), "and of its messages")
}

@Test func `who comes back has no more access than they left with`() {
  let (cy, bob) = (UserID(stored: "cy"), UserID(stored: "bob"))
  let (lower, raise) = (ParticipantPatch(access: .set(.read)), ParticipantPatch(access: .set(.readWrite)))
  var (set, subject) = ((read: ConversationPatch(), write: ConversationPatch(), reset: ConversationPatch()), ConversationPatch())
  (set.read.own, set.write.own, set.reset.own.access, subject.subject) = (lower, raise, .reset, .set("new"))
  let create = { ConversationOperation.createIfNotExists(NewConversation(fields: $0)) }
  // Who removes cy; what they then call themselves, and what comes of it, as a user and as the application; the access that they have then.
  let table: [(String, by: String, ConversationOperation, [String], [Access?])] = [
    ("createIfNotExists", "cy", .join, ["ok", "ok"], [.read, .read]), ("removed by another", "ann", .join, ["ok", "ok"], [.read, .read]),
    ("createIfNotExists, less", "cy", create(set.read), ["ok", "ok"], [.read, .read]),
    ("createIfNotExists, more", "cy", create(set.write), ["101 access", "ok"], [nil, .readWrite]),
    ("createIfNotExists, the default", "cy", create(set.reset), ["101 access", "ok"], [nil, .readWrite]),
    ("set", "cy", .set(ConversationPatch()), ["ok", "ok"], [.read, .read]),
    ("set, less", "cy", .set(set.read), ["ok", "ok"], [.read, .read]),
    ("set, more", "cy", .set(set.write), ["101 access", "ok"], [nil, .readWrite]),
    ("set, the default", "cy", .set(set.reset), ["101 access", "ok"], [nil, .readWrite]),
    ("set, and a subject", "cy", .set(subject), ["103", "ok"], [nil, .read]),
    ("adding oneself", "cy", .setParticipant(cy, raise), ["102", "ok"], [nil, .readWrite]),
  ]
  for (name, by, operation, outcomes, access) in table {
    for (index, kind) in [Caller.Kind.user, .app].enumerated() {
      for isForgotten in [false, true] {
        var fixture = Stage().fixture
        fixture.call(.deleteParticipant(cy), by: by)
        if isForgotten { fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings()) }
        let label = "\(name), \(kind), forgotten: \(isForgotten)"
        expectEqual(fixture.call(operation, by: "cy", kind)?.outcome, outcomes[index], label)
        guard case .success(.participant(let place))? = fixture.call(.getParticipant(cy), by: "ann") else { return expect(false, label) }
        expectEqual(place?.access, access[index], "\(label): the access")
      }
    }
  }
  var fixture = Stage().fixture
  fixture.call(.deleteParticipant(cy), by: "cy")
  expectEqual(fixture.call(.createParticipant(cy, raise), by: "bob")?.outcome, "ok", "another lets them in with more")
  for user in [cy, bob] {
    fixture.call(.deleteParticipant(user), by: user.text)
    fixture.call(.join, by: user.text)
    expectEqual(fixture.call(.text("x"), by: user.text)?.outcome, "ok", "\(user.text) wrote before and writes again")
  }
}

@Test func `what is left where clients may not change conversations`() {
  var settings = ChatSettings()
  settings.syncConversations = false
  let stage = Stage(settings)
  let dan = UserID(stored: "dan")
  let ann = UserID(stored: "ann")
  let quiet = ParticipantPatch(notify: .set(.never))
  var subject = ConversationPatch()
  subject.subject = .set("new")
  var ownNotify = ConversationPatch()
  ownNotify.own = quiet
  var manager = Permissions()
  manager.manageConversations = true
  // Columns: ann (writes), eve (stranger), ann as a manager, eve as a manager, who changes places from outside but does not speak.
  let table: [(String, ConversationOperation, [String])] = [
    ("create", .join, ["ok", "105", "ok", "ok"]),
    ("set", .set(subject), ["105", "105", "ok", "ok"]),
    ("set own notify", .set(ownNotify), ["ok", "105", "ok", "ok"]),
    ("deleteFields", .deleteFields([.custom, .customKey("a"), .photoUrl, .welcomeMessages]), ["105", "102", "ok", "ok"]),
    ("deleteFields notify", .deleteFields([.notify]), ["ok", "102", "ok", "ok"]),
    ("send", .text("hello"), ["ok", "102", "ok", "102"]),
    ("edit", .editMessage(stage.mine, MessageEdit(custom: .clear)), ["ok", "102", "ok", "102"]),
    ("add", .createParticipant(dan, quiet), ["105", "102", "ok", "ok"]),
    ("add the present", .createParticipant(ann, quiet), ["ok", "102", "ok", "ok"]),
    ("quiet another", .editParticipant(UserID(stored: "bob"), quiet), ["105", "102", "ok", "ok"]),
    ("quiet oneself", .setParticipant(ann, quiet), ["ok", "102", "ok", "ok"]),
    ("leave", .deleteParticipant(ann), ["105", "102", "ok", "ok"]),
    ("delete", .delete, ["101", "102", "ok", "ok"]),
  ]
  for (name, operation, expected) in table {
    for (index, user) in ["ann", "eve", "ann", "eve"].enumerated() {
      var fixture = stage.fixture
      let outcome = fixture.call(operation, by: user, .user, index < 2 ? Permissions() : manager)?.outcome
      expectEqual(outcome, expected[index], "\(name) by \(user), \(index < 2 ? "user" : "manager")")
    }
  }
  var empty = ConversationFixture(settings: settings)
  expectEqual(empty.call(.join, by: "ann")?.outcome, "105", "nobody creates")
  expectEqual(empty.call(.set(subject), by: "ann")?.outcome, "105", "nor by set")
}

@Test func `a manager changes places from outside, and may not raise their own access inside`() {
  var manager = Permissions()
  manager.manageConversations = true
  let (cy, dan) = (UserID(stored: "cy"), UserID(stored: "dan"))
  let write = ParticipantPatch(access: .set(.readWrite))
  var subject = ConversationPatch()
  subject.subject = .set("new")
  // Columns: eve (stranger), cy (reads).
  let table: [(String, ConversationOperation, [String])] = [
    ("add", .createParticipant(dan, ParticipantPatch()), ["ok", "ok"]), ("set", .setParticipant(dan, write), ["ok", "ok"]),
    ("edit the absent", .editParticipant(dan, write), ["104 user", "104 user"]),
    ("raise cy", .editParticipant(cy, write), ["ok", "101 access"]),
    ("reset cy", .deleteParticipantFields(cy, [.notify]), ["ok", "ok"]), ("remove", .deleteParticipant(cy), ["ok", "ok"]),
    ("deleteFields", .deleteFields([.subject]), ["ok", "ok"]), ("set the subject", .set(subject), ["ok", "ok"]),
    ("send", .text("x"), ["102", "103"]), ("history", .history(HistoryRange(start: .newest, limit: 1)), ["102", "ok"]),
    ("get another", .getParticipant(cy), ["102", "ok"]), ("delete", .delete, ["ok", "ok"]),
  ]
  for (name, operation, expected) in table {
    for (index, user) in ["eve", "cy"].enumerated() {
      var fixture = Stage().fixture
      let reply = fixture.call(operation, by: user, .user, manager)
      let outcome = fixture.histories.isEmpty ? reply?.outcome : "ok"
      expectEqual(outcome, expected[index], "\(name) by \(user)")
    }
  }
  // Who might only read, left, and adds themselves.
  let returns: [(String, ConversationOperation, String)] = [
    ("create", .createParticipant(cy, ParticipantPatch()), "103"), ("create with more", .createParticipant(cy, write), "101 access"),
    ("set", .setParticipant(cy, ParticipantPatch()), "103"), ("set more", .setParticipant(cy, write), "101 access"),
  ]
  for (name, operation, expected) in returns {
    var fixture = Stage().fixture
    fixture.call(.deleteParticipant(cy), by: "cy", .user, manager)
    let outcome = fixture.call(operation, by: "cy", .user, manager)?.outcome
    expectEqual(outcome == "ok" ? fixture.call(.text("x"), by: "cy", .user, manager)?.outcome : outcome, expected, "\(name), then sending")
  }
  var fixture = Stage().fixture
  expectEqual(fixture.call(.deleteFields([.subject]), by: "eve", .user, manager), .success(.conversation(nil)), "eve sees nothing of it")
  var empty = ConversationFixture()
  expectEqual(empty.call(.createParticipant(dan, ParticipantPatch()), by: "eve", .user, manager)?.outcome, "102", "there is none")
}

@Test func `what roles allow on messages`() {
  let stage = Stage()
  let edit = MessageEdit(content: ContentBlock.plain("edited"))
  let answer = ConversationOperation.text("answer", answering: stage.bobs)
  let like = ReactionEmoji(stored: "\u{1F44D}")
  let ownAnswer = ConversationOperation.text("answer", answering: stage.mine)
  let table: [(String, WritableKeyPath<Permissions, Permissions.Scope>, ConversationOperation, [String])] = [
    ("send", \.send, .text("hello"), ["101", "ok", "ok"]),
    ("type", \.send, .markAsTyping, ["101", "ok", "ok"]), ("type and stop", \.send, .stopTyping, ["101", "ok", "ok"]),
    ("reply", \.reply, answer, ["101", "101", "ok"]),
    ("reply to oneself", \.reply, ownAnswer, ["101", "ok", "ok"]),
    ("edit own", \.edit, .editMessage(stage.mine, edit), ["101", "ok", "ok"]),
    ("edit another's", \.edit, .editMessage(stage.bobs, edit), ["101", "101", "ok"]),
    ("delete own", \.delete, .deleteMessage(stage.mine), ["101", "ok", "ok"]),
    ("delete another's", \.delete, .deleteMessage(stage.bobs), ["101", "101", "ok"]),
    ("delete a notice", \.delete, .deleteMessage(stage.notice), ["101", "101", "ok"]),
    ("delete the missing", \.delete, .deleteMessage(stage.missing), ["101", "ok", "ok"]),
    ("react to oneself", \.react, .addReaction(stage.mine, like), ["101", "ok", "ok"]),
    ("react", \.react, .addReaction(stage.bobs, like), ["101", "101", "ok"]),
    ("take a reaction back", \.react, .removeReaction(stage.bobs, like), ["101", "101", "ok"]),
  ]
  for (name, path, operation, expected) in table {
    for (index, scope) in [Permissions.Scope.none, .own, .all].enumerated() {
      var fixture = stage.fixture
      var permissions = Permissions()
      permissions[keyPath: path] = scope
      expectEqual(fixture.call(operation, by: "ann", .user, permissions)?.outcome, expected[index], "\(name) with \(scope)")
    }
  }
}

@Test func `a guest brings in only users with whom they share a conversation; others are as if they did not exist`() {
  let bob = UserID(stored: "bob")
  let pair = DirectPair(UserID(stored: "ann"), bob)
  let direct = NewConversation(type: .direct, with: bob)
  let calls: [(String, ConversationOperation)] = [
    ("room", .createParticipant(bob, ParticipantPatch())), ("room", .setParticipant(bob, ParticipantPatch())),
    (pair?.conversation.text ?? "", .createIfNotExists(direct)),
  ]
  for (room, operation) in calls {
    let field = room == "room" ? "user" : "with"
    for (name, kind, shares, isThere, expected) in [
      ("a stranger", Caller.Kind.guest, false, true, "104 \(field)"), ("nobody", .guest, false, false, "104 \(field)"),
      ("who shares one", .guest, true, true, "ok"), ("a member's stranger", .user, false, true, "ok"),
    ] {
      var fixture = ConversationFixture(room, users: isThere ? ["ann", "bob"] : ["ann"])
      if shares {
        let shared = ConversationRecord(id: ConversationID(stored: "shared"), type: .group, pair: nil, createdAt: 1)
        let places = ["ann", "bob"].map {
          Change.putParticipant(shared.id, ParticipantRecord(user: UserID(stored: $0), joinedAt: 1, revision: 1))
        }
        expect(fixture.store.commit(ChangeSet([.putConversation(shared)] + places)), "a conversation of both")
      }
      if room == "room" { fixture.call(.join, by: "ann", kind) }
      expectEqual(fixture.call(operation, by: "ann", kind)?.outcome, expected, "\(operation): \(name)")
    }
  }
}

@Test func `a guest does not bring back whom they saw here alone`() {
  let bob = UserID(stored: "bob")
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let bring = ConversationOperation.createParticipant(bob, ParticipantPatch())
  expectEqual(fixture.call(bring, by: "ann", .guest)?.outcome, "ok", "bob is there")
  fixture.mode = .waits
  let calls = [
    fixture.begin(.text("x", key: "k"), by: "bob"), fixture.begin(.deleteParticipant(bob), by: "ann", .guest),
    fixture.begin(bring, by: "ann", .guest),
  ]
  fixture.releaseAll()
  expectEqual(calls.map { fixture.replies[$0]?.outcome }, ["ok", "ok", "104 user"], "what was known before bob left is asked again")
}
