import ChatModel

/// Files in messages.
extension ConversationMachine {
  /// A file that a caller wants to send.
  struct FileWish: Hashable {
    let file: FileID
    /// Who must be allowed to use it; nil for the application, which may use every file.
    let user: UserID?

    init(file: FileID, user: UserID?) {
      self.file = file
      self.user = user
    }

    init(_ file: FileID, by caller: Caller) { self.init(file: file, user: caller.kind == .app ? nil : caller.user) }
  }

  /// A body with what is told of its files; refused where one is not there, or is not the caller's to send.
  func withFiles(_ content: [ContentBlock], by caller: Caller) throws(ChatError) -> [ContentBlock] {
    guard content.plain == nil else { return content }
    var blocks = content
    for (index, block) in content.enumerated() {
      guard case .file(let block) = block else { continue }
      guard let details = files[FileWish(block.file, by: caller)] ?? nil else {
        let field = "content[\(index)].fileToken"
        throw ChatError(.notFound, "\(field) is no file, or is not yours to send", field: field)
      }
      blocks[index] = .file(FileBlock(block.file, details))
    }
    return blocks
  }
}
