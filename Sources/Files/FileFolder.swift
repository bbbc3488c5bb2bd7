package import ChatEngine
package import ChatModel
import Crypto
import Glibc
import Locks

/// Files in a folder, under the hashes of their contents: `ab/abcdef…`, and `incoming/` for what is not whole yet.
///
/// No name that a client gave is ever part of a path.
package final class FileFolder: FileStore {
  /// Asks the store which contents something refers to; nil where it could not say.
  package typealias Referenced = @Sendable ([FileHash], @escaping @Sendable ([Bool]?) -> Void) -> Void

  /// What is known of the folder; its lock is held while a name is given or taken away, on lanes only.
  private struct Inventory {
    var claims = ContentClaims()
    /// The subfolders whose files are counted in `figures`.
    var counted: Set<String> = []
  }

  private let path: String
  private let referenced: Referenced
  private let lanes: [Lane]
  private let turn = Lock(0)
  private let inventory = Lock(Inventory())
  /// Apart, as it is asked for on event loops.
  private let known = Lock(FileFigures())

  /// Opens the folder, which is made where it is missing, and throws away what was not whole when the gateway last ended.
  ///
  /// - Parameters:
  ///   - path: A folder that nobody else uses.
  ///   - referenced: Asks the store; what it does not know any more is removed in the background.
  package init(_ path: String, referenced: @escaping Referenced) throws(FileStoreError) {
    self.path = path
    self.referenced = referenced
    lanes = (0..<Self.laneCount).map { Lane(label: "parley.files.\($0)") }
    try Self.make(path)
    try Self.make("\(path)/\(Self.incoming)")
    for name in Self.names(in: "\(path)/\(Self.incoming)") { unlink("\(path)/\(Self.incoming)/\(name)") }
    sweep(Self.subfolders[...])
  }

  /// So a large file that is synced, or a slow disk under one, holds up some and not all.
  private static let laneCount = 4
  private static let incoming = "incoming"
  private static let subfolders: [String] = (0..<256).map { String(FileHash(digest: [UInt8($0)]).text) }

  private static func make(_ path: String) throws(FileStoreError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last() }
  }

  private func nextLane() -> Lane {
    let index = turn.withLock { turn in
      turn = (turn + 1) % lanes.count
      return turn
    }
    return lanes[index]
  }

  // MARK: - The port

  package func begin() -> any IncomingFile { FileWriter(self, on: nextLane()) }

  package func read(
    _ hash: FileHash, at offset: Int64, count: Int, done: @escaping @Sendable (Result<[UInt8], FileStoreError>) -> Void
  ) {
    nextLane().perform { [path] in
      do throws(FileStoreError) {
        done(.success(try Self.read(Self.name(of: hash, in: path), at: offset, count: count)))
      } catch { done(.failure(error)) }
    }
  }

  package func release(_ hashes: [FileHash]) {
    nextLane().perform { self.ask(about: hashes.filter { hash in self.inventory.withLock { $0.claims.release(hash) } }) }
  }

  package func figures() -> FileFigures { known.withLock { $0 } }

  // MARK: - Writing

  func temporaryFile() throws(FileStoreError) -> TemporaryFile {
    try TemporaryFile("\(path)/\(Self.incoming)/\(SecureRandom.token())")
  }

  /// Gives a file the name of its content, where there is none of that name yet; the content is held then.
  func keep(_ file: TemporaryFile, of size: Int64, as hash: FileHash) throws(FileStoreError) {
    let folder = Self.folder(of: hash, in: path)
    try Self.make(folder)
    let name = Self.name(of: hash, in: path)
    do throws(FileStoreError) {
      try inventory.withLock { (inventory) throws(FileStoreError) in
        inventory.claims.hold(hash)
        guard access(name, F_OK) != 0 else { return }
        try file.keep(as: name)
        count(hash, size, &inventory, by: 1)
      }
      try Self.sync(folder)
      try Self.sync(path)
    } catch {
      settled(hash)
      throw error
    }
  }

  /// Whoever held the content has told the store of it, or never will.
  func settled(_ hash: FileHash) {
    if inventory.withLock({ $0.claims.letGo(hash) }) { ask(about: [hash]) }
  }

  // MARK: - Removing

  /// Removes those contents that nothing refers to.
  private func ask(about hashes: [FileHash]) {
    guard !hashes.isEmpty else { return }
    referenced(hashes) { answers in
      self.nextLane().perform {
        for (index, hash) in hashes.enumerated() { self.remove(hash, isReferenced: answers.map { $0[index] }) }
      }
    }
  }

  private func remove(_ hash: FileHash, isReferenced: Bool?) {
    let name = Self.name(of: hash, in: path)
    inventory.withLock { inventory in
      guard inventory.claims.answered(hash, isReferenced: isReferenced) else { return }
      var status = stat()
      guard stat(name, &status) == 0, unlink(name) == 0 else { return }
      count(hash, Int64(status.st_size), &inventory, by: -1)
    }
  }

  private func count(_ hash: FileHash, _ size: Int64, _ inventory: inout Inventory, by number: Int) {
    // What the sweep has not reached it counts itself.
    guard inventory.counted.contains(String(hash.text.prefix(2))) else { return }
    known.withLock { figures in
      figures.contents += number
      figures.bytes += number < 0 ? -size : size
    }
  }

  /// Counts what is in the subfolders, one after the other, and asks about each content: a gateway that was killed may have left some that
  /// nothing refers to.
  private func sweep(_ names: ArraySlice<String>) {
    guard let name = names.first else { return }
    nextLane().perform {
      let hashes = self.take(name)
      self.ask(about: hashes.filter { hash in self.inventory.withLock { $0.claims.release(hash) } })
      self.sweep(names.dropFirst())
    }
  }

  private func take(_ subfolder: String) -> [FileHash] {
    inventory.withLock { inventory in
      var hashes: [FileHash] = []
      inventory.counted.insert(subfolder)
      for name in Self.names(in: "\(path)/\(subfolder)") {
        var status = stat()
        guard let hash = FileHash(name), stat("\(path)/\(subfolder)/\(name)", &status) == 0 else { continue }
        count(hash, Int64(status.st_size), &inventory, by: 1)
        hashes.append(hash)
      }
      return hashes
    }
  }

  // MARK: - The file system

  private static func folder(of hash: FileHash, in path: String) -> String { "\(path)/\(hash.text.prefix(2))" }

  private static func name(of hash: FileHash, in path: String) -> String { "\(folder(of: hash, in: path))/\(hash.text)" }

  /// The names of the files in a folder; none where there is no such folder.
  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes sure that names given in a folder outlive a power cut.
  private static func sync(_ folder: String) throws(FileStoreError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last() }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last() }
  }

  private static func read(_ name: String, at offset: Int64, count: Int) throws(FileStoreError) -> [UInt8] {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last() }
    defer { close(descriptor) }
    var failure: FileStoreError?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      while filled < buffer.count {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(offset) + off_t(filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = .last() }
        guard got > 0 else { return }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
