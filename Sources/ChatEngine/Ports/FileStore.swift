package import ChatModel

/// Port: where the bytes of files are kept, each content once.
///
/// Every call returns at once; `done` is called once, on a thread of the store's own.
package protocol FileStore: Sendable {
  /// Begins to take a file; it is thrown away where it is let go of before `finish`.
  func begin() -> any IncomingFile
  /// Reads a piece of a content, fewer bytes than asked for at its end.
  func read(_ hash: FileHash, at offset: Int64, count: Int, done: @escaping @Sendable (Result<[UInt8], FileStoreError>) -> Void)
  /// Nobody refers to a content any more, unless a file of it came meanwhile: it may be removed.
  func release(_ hashes: [FileHash])
  /// What is kept, as it is known now.
  func figures() -> FileFigures
}

/// A file on its way in.
///
/// Its calls take effect in their order.
package protocol IncomingFile: AnyObject, Sendable {
  /// Adds bytes.
  func write(_ bytes: [UInt8], done: @escaping @Sendable (FileStoreError?) -> Void)
  /// The last byte was written: `done` comes when the content would survive a power cut. It then stays until `settle`, whoever refers to it.
  func finish(done: @escaping @Sendable (Result<FileContent, FileStoreError>) -> Void)
  /// What refers to the content is kept now, or never will be.
  func settle()
  /// The rest will not come: nothing of it stays.
  func cancel()
}

/// A content that was taken.
package struct FileContent: Hashable, Sendable {
  package let hash: FileHash
  /// Bytes.
  package let size: Int64
  /// Its first bytes, as many as `FileSignature` looks at.
  package let head: [UInt8]

  package init(hash: FileHash, size: Int64, head: [UInt8]) {
    self.hash = hash
    self.size = size
    self.head = head
  }
}

/// What a file store keeps.
package struct FileFigures: Hashable, Sendable {
  /// Different contents.
  package var contents = 0
  /// Their bytes.
  package var bytes: Int64 = 0

  package init() {}
}

/// Why a file store could not do what it was asked.
package enum FileStoreError: String, Error, Hashable, Sendable, CaseIterable {
  /// No room on the disk.
  case full
  /// There is no such content.
  case missing
  /// Reading or writing failed.
  case inputOutput
}
