import ChatEngine
import ChatModel
import Crypto

/// A file on its way into a folder, on a lane.
actor FileWriter: IncomingFile {
  private enum State {
    /// Nothing came yet. Next: `open`, `over`.
    case new
    /// Bytes come. Next: `finished`, `over`.
    case open(TemporaryFile)
    /// The content is kept and held. Next: `over`.
    case finished(FileHash)
    /// Nothing is left to be done. Terminal.
    case over(FileStoreError?)
  }

  private nonisolated let lane: Lane
  nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }
  private nonisolated let folder: FileFolder
  private var state = State.new
  private let hash = SHA256Stream()
  private var head: [UInt8] = []
  private var size: Int64 = 0

  init(_ folder: FileFolder, on lane: Lane) {
    self.folder = folder
    self.lane = lane
  }

  nonisolated func write(_ bytes: [UInt8], done: @escaping @Sendable (FileStoreError?) -> Void) {
    perform { writer in
      do throws(FileStoreError) {
        try writer.add(bytes)
        done(nil)
      } catch { done(error) }
    }
  }

  nonisolated func finish(done: @escaping @Sendable (Result<FileContent, FileStoreError>) -> Void) {
    perform { writer in
      do throws(FileStoreError) { done(.success(try writer.close())) } catch { done(.failure(error)) }
    }
  }

  nonisolated func settle() {
    perform { writer in
      guard case .finished(let hash) = writer.state else { return }
      writer.state = .over(nil)
      writer.folder.settled(hash)
    }
  }

  nonisolated func cancel() {
    perform { writer in
      switch writer.state {
      case .new, .open: writer.state = .over(.missing)
      case .finished(let hash):
        writer.state = .over(nil)
        writer.folder.settled(hash)
      case .over: break
      }
    }
  }

  private nonisolated func perform(_ body: @escaping @Sendable (isolated FileWriter) -> Void) {
    lane.perform { self.assumeIsolated { body($0) } }
  }

  private func add(_ bytes: [UInt8]) throws(FileStoreError) {
    do throws(FileStoreError) {
      try file().write(bytes)
    } catch {
      state = .over(error)
      throw error
    }
    bytes.withUnsafeBytes { hash.update($0) }
    if head.count < FileSignature.bytes { head += bytes.prefix(FileSignature.bytes - head.count) }
    size += Int64(bytes.count)
  }

  private func file() throws(FileStoreError) -> TemporaryFile {
    switch state {
    case .new:
      let file = try folder.temporaryFile()
      state = .open(file)
      return file
    case .open(let file): return file
    case .finished: throw .inputOutput
    case .over(let error): throw error ?? .inputOutput
    }
  }

  private func close() throws(FileStoreError) -> FileContent {
    do throws(FileStoreError) {
      let file = try file()
      guard let digest = hash.finish() else { throw .inputOutput }
      try file.sync()
      let hash = FileHash(digest: digest)
      try folder.keep(file, of: size, as: hash)
      state = .finished(hash)
      return FileContent(hash: hash, size: size, head: head)
    } catch {
      state = .over(error)
      throw error
    }
  }
}
