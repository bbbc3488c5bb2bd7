import ChatModel

/// Snapshots with every field set and with none, and the JSON that they are.
struct Snapshots {
  let ada: UserSnapshot
  let bob: UserSnapshot
  let message: MessageSnapshot
  let system: MessageSnapshot
  let conversation: ConversationSnapshot
  let bare: ConversationSnapshot
  let participant: ParticipantSnapshot

  static let adaJSON =
    #"{"id":"ada","name":"Ada \"L\"","role":"admin","photoUrl":"https://x/a","locale":"en","custom":{"a":"1","b":"é\n"},"#
    + #""welcomeMessage":"Hi"}"#
  static let bobJSON =
    #"{"id":"bob","name":"Боб","role":"default","photoUrl":null,"locale":null,"custom":{},"welcomeMessage":null}"#

  init() throws {
    let room = try ConversationID("room")
    ada = UserSnapshot(
      id: try UserID("ada"), name: "Ada \"L\"", role: "admin", photoUrl: "https://x/a", locale: "en",
      custom: CustomFields([("b", "é\n"), ("a", "1")]), welcomeMessage: "Hi")
    bob = UserSnapshot(
      id: try UserID("bob"), name: "Боб", role: "default", photoUrl: nil, locale: nil, custom: CustomFields(), welcomeMessage: nil)
    let quoted = ReferencedMessageSnapshot(
      id: MessageID(3, in: room), conversation: room, type: .user, sender: bob, custom: CustomFields(), createdAt: 10, editedAt: nil,
      referencedMessageId: MessageID(1, in: room), origin: .bot, content: ContentBlock.plain("what?"),
      reactions: [ReactionSnapshot(emoji: ReactionEmoji(stored: ":\"q\":"), count: 2, currentUserReacted: true)])
    var message = MessageSnapshot(
      id: MessageID(7, in: room), conversation: room, type: .user, sender: ada, custom: CustomFields([("k", "v")]), createdAt: 20,
      editedAt: 21, referencedMessage: quoted, origin: .web, content: [.text([.plain("yes "), .plain("\u{1F600}")])],
      reactions: [
        ReactionSnapshot(emoji: ReactionEmoji(stored: "\u{1F44D}"), count: 1, currentUserReacted: true),
        ReactionSnapshot(emoji: ReactionEmoji(stored: ":b:"), count: 7),
      ])
    message.thread = ThreadRoot(message.id, in: room).map { ThreadSnapshot(conversation: $0.thread, replyCount: 2, lastReplyAt: 70) }
    self.message = message
    system = MessageSnapshot(
      id: MessageID(8, in: room), conversation: room, type: .system, sender: nil, custom: CustomFields(), createdAt: 30, editedAt: nil,
      referencedMessage: nil, origin: .import, content: ContentBlock.plain("joined"))
    var record = ConversationRecord(id: room, type: .group, pair: nil, createdAt: 1)
    var viewer = ParticipantRecord(user: ada.id, joinedAt: 2, revision: 1)
    bare = ConversationSnapshot(record: record, viewer: viewer, lastMessage: nil, unreadMessageCount: 0, everyoneReadUntil: nil)
    record.subject = "S"
    record.photoUrl = "http://p"
    record.welcomeMessages = ["w", "x"]
    record.custom = CustomFields([("k", "v")])
    viewer.access = .read
    viewer.notify = .mentionsOnly
    viewer.isMarkedUnread = true
    conversation = ConversationSnapshot(
      record: record, viewer: viewer, lastMessage: system, unreadMessageCount: 3, everyoneReadUntil: 2, pinnedMessage: message)
    viewer.notify = .never
    participant = ParticipantSnapshot(user: bob, record: viewer)
  }

  var messageJSON: String {
    #"{"id":"\#(message.id)","conversation":"room","type":"UserMessage","sender":\#(Self.adaJSON),"custom":{"k":"v"},"createdAt":20,"#
      + #""editedAt":21,"referencedMessage":\#(quotedJSON),"origin":"web","plaintext":"yes 😀","#
      + #""content":[{"type":"text","children":["yes ","😀"]}],"reactions":[{"emoji":"👍","count":1,"currentUserReacted":true},"#
      + #"{"emoji":":b:","count":7,"currentUserReacted":false}],"thread":\#(threadJSON)}"#
  }

  private var threadJSON: String {
    guard let thread = message.thread else { return "null" }
    return #"{"conversation":"\#(thread.conversation)","replyCount":2,"lastReplyAt":70}"#
  }

  private var quotedJSON: String {
    let ids = message.referencedMessage.map { ($0.id.text, $0.referencedMessageId?.text ?? "") } ?? ("", "")
    return #"{"id":"\#(ids.0)","conversation":"room","type":"UserMessage","sender":\#(Self.bobJSON),"custom":{},"createdAt":10,"#
      + #""editedAt":null,"referencedMessageId":"\#(ids.1)","origin":"bot","plaintext":"what?","#
      + #""content":[{"type":"text","children":["what?"]}],"reactions":[{"emoji":":\"q\":","count":2,"currentUserReacted":true}]}"#
  }

  var systemJSON: String {
    #"{"id":"\#(system.id)","conversation":"room","type":"SystemMessage","sender":null,"custom":{},"createdAt":30,"editedAt":null,"#
      + #""referencedMessage":null,"origin":"import","plaintext":"joined","content":[{"type":"text","children":["joined"]}],"#
      + #""reactions":[],"thread":null}"#
  }

  var conversationJSON: String {
    #"{"id":"room","type":"group","subject":"S","photoUrl":"http://p","welcomeMessages":["w","x"],"custom":{"k":"v"},"createdAt":1,"#
      + #""joinedAt":2,"access":"Read","notify":"MentionsOnly","lastMessage":\#(systemJSON),"unreadMessageCount":3,"isUnread":true,"#
      + #""readUntil":2,"everyoneReadUntil":2,"pinnedMessage":\#(messageJSON),"threadOf":null}"#
  }

  static let bareJSON =
    #"{"id":"room","type":"group","subject":null,"photoUrl":null,"welcomeMessages":[],"custom":{},"createdAt":1,"joinedAt":2,"#
    + #""access":"ReadWrite","notify":true,"lastMessage":null,"unreadMessageCount":0,"isUnread":false,"readUntil":2,"#
    + #""everyoneReadUntil":null,"pinnedMessage":null,"threadOf":null}"#

  static let participantJSON = #"{"user":\#(bobJSON),"access":"Read","notify":false,"joinedAt":2}"#
}
