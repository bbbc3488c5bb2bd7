import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  static func file(_ letter: Character, of uploader: String, size: Int64 = 3) -> FileRecord {
    let isFull = letter == "a"
    let details = FileDetails(
      filename: "ä \"\(letter)\".png", size: size, mediaType: MediaType(stored: isFull ? "image/png" : "text/plain"),
      kind: isFull ? .image : nil, width: isFull ? 1 : nil, height: isFull ? 2 : nil, durationMs: isFull ? 1_500 : nil)
    return FileRecord(
      id: FileID(stored: String(repeating: letter, count: 22)),
      hash: FileHash(digest: Array(repeating: letter == "c" ? 97 : letter.asciiValue ?? 0, count: 32)), details: details,
      uploader: Make.user(uploader), createdAt: 5)
  }

  static func checkFiles(_ store: StoreUnderTest) async {
    var store = store
    let (room, other) = (Make.id("room"), Make.id("other"))
    // The third has the content of the first.
    let files = [file("a", of: "ann"), file("b", of: "ann", size: 40), file("c", of: "bob")]
    func ask(_ comment: String) async {
      for file in files {
        let readers: [UserID?] = [nil, Make.user("ann"), Make.user("bob"), Make.user("cem")]
        await store.compare(readers.map { .file(file.id, for: $0) } + [.isFileStored(file.hash)], comment: comment)
      }
      await store.compare(.fileBytes(of: Make.user("ann")), .fileBytes(of: Make.user("nobody")), .message(room, 1), comment: comment)
    }
    await ask("nothing")
    await store.commit(files.map { ChangeSet([.putFile($0)]) })
    await store.commit(.putConversation(Make.conversation("room")), .putConversation(Make.conversation("other")))
    await store.commit(
      .putParticipant(room, Make.participant("ann")), .putParticipant(room, Make.participant("bob")),
      .putParticipant(other, Make.participant("cem")))
    await ask("not sent")
    var (one, two) = (Make.message(1), Make.message(2))
    one.content = [.file(FileBlock(files[0].id, files[0].details)), .file(FileBlock(files[1].id, files[1].details))]
    two.content = [.file(FileBlock(files[0].id, files[0].details))]
    await store.commit(.appendMessage(room, one, key: nil))
    await ask("sent")
    await store.commit(.appendMessage(other, two, key: nil))
    await ask("sent elsewhere too")
    one.content = [.file(FileBlock(files[1].id, files[1].details))]
    await store.commit(.updateMessage(room, one))
    await ask("changed")
    await store.commit(.removeParticipant(room, Make.user("bob"), revision: 9))
    await ask("a reader left")
    one.delete(at: 10)
    await store.commit(.updateMessage(room, one))
    await ask("deleted")
    two.delete(at: 11)
    await store.commit(.updateMessage(other, two))
    await ask("the last one of the first content's first file")
    var gone = Make.message(3)
    gone.content = [.file(FileBlock(files[1].id, files[1].details))]
    await store.commit(.appendMessage(room, gone, key: nil))
    await store.compare(.message(room, 3), comment: "one that is gone")
  }
}
