import ChatEngine
import ChatModel
import Crypto
import Glibc
import Locks
import TestSupport
import Testing

@testable import Files

/// A folder for files, and a store that knows of some.
private final class Harness: Sendable {
  let path: String
  let known = Lock<Set<FileHash>>([])
  let folder: FileFolder

  init(path: String? = nil, known: Set<FileHash> = []) throws {
    let path = path ?? "/tmp/parley-files-test-\(getpid())-\(SecureRandom.token())"
    self.path = path
    self.known.withLock { $0 = known }
    folder = try FileFolder(path) { [known = self.known] hashes, done in done(known.withLock { known in hashes.map(known.contains) }) }
  }

  func write(_ pieces: [[UInt8]], isKept: Bool = true) async throws -> FileContent {
    let file = folder.begin()
    for piece in pieces {
      let error = await withCheckedContinuation { continuation in file.write(piece) { continuation.resume(returning: $0) } }
      if let error { throw error }
    }
    let content = try await withCheckedContinuation { continuation in file.finish { continuation.resume(returning: $0) } }.get()
    if isKept { known.withLock { _ = $0.insert(content.hash) } }
    file.settle()
    return content
  }

  func read(_ hash: FileHash, at offset: Int64 = 0, count: Int = 1_000_000) async -> Result<[UInt8], FileStoreError> {
    await withCheckedContinuation { continuation in
      folder.read(hash, at: offset, count: count) { continuation.resume(returning: $0) }
    }
  }

  /// Waits until something is true of the folder.
  func until(_ what: String, _ condition: () async -> Bool) async {
    for _ in 0..<200_000 {
      if await condition() { return }
      await Task.yield()
    }
    expect(false, "not in time: \(what)")
  }

  func remove() { _ = try? Self.run("rm", ["-rf", path]) }

  private static func run(_ program: String, _ arguments: [String]) throws {
    var process: pid_t = 0
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    posix_spawnp(&process, program, nil, nil, &words, environ)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}

@Suite struct FileFolderTests {
  @Test func `a content is kept once, read in pieces, and gone when nothing refers to it`() async throws {
    let harness = try Harness()
    defer { harness.remove() }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let first = try await harness.write([Array(bytes[..<70_000]), [], Array(bytes[70_000...])])
    let second = try await harness.write([bytes])
    expectEqual(first, second, "the same content")
    expectEqual(first.hash, FileHash(digest: SHA256.digest(bytes)), "hash")
    expectEqual(first.size, 300_000, "size")
    expectEqual(first.head, Array(bytes[..<16]), "head")
    await harness.until("it is counted once") { harness.folder.figures().bytes == 300_000 }
    expectEqual(harness.folder.figures().contents, 1, "contents")
    expectEqual(await harness.read(first.hash), .success(bytes), "all")
    expectEqual(await harness.read(first.hash, at: 299_990, count: 100), .success(Array(bytes[299_990...])), "its end")
    expectEqual(await harness.read(first.hash, at: 300_000, count: 1), .success([]), "behind it")
    expectEqual(await harness.read(FileHash(digest: Array(repeating: 0, count: 32))), .failure(.missing), "another one")

    harness.folder.release([first.hash])
    expectEqual(await harness.read(first.hash, count: 1), .success([bytes[0]]), "the store knows it")
    harness.known.withLock { $0 = [] }
    harness.folder.release([first.hash])
    await harness.until("it is gone") { await harness.read(first.hash) == .failure(.missing) }
    await harness.until("and not counted") { harness.folder.figures() == FileFigures() }
  }

  @Test func `half a file leaves nothing, also behind a gateway that was killed`() async throws {
    let harness = try Harness()
    defer { harness.remove() }
    var file: (any IncomingFile)? = harness.folder.begin()
    let error = await withCheckedContinuation { continuation in file?.write([1, 2, 3]) { continuation.resume(returning: $0) } }
    expectEqual(error, nil, "written")
    file?.cancel()
    await harness.until("no incoming file") { rmdir("\(harness.path)/incoming") == 0 }
    mkdir("\(harness.path)/incoming", 0o700)
    file = nil

    // What nothing refers to, and what was not whole.
    let kept = try await harness.write([[1]])
    let other = harness.folder.begin()
    let content = await withCheckedContinuation { continuation in
      other.write([2]) { _ in }
      other.finish { continuation.resume(returning: $0) }
    }
    let orphan = try content.get()
    let half = open("\(harness.path)/incoming/half", O_WRONLY | O_CREAT, 0o600)
    close(half)
    let again = try Harness(path: harness.path, known: [kept.hash])
    expect(access("\(harness.path)/incoming/half", F_OK) != 0, "the half one is gone")
    await again.until("the orphan is gone") { await again.read(orphan.hash) == .failure(.missing) }
    await again.until("the other one is counted") { again.folder.figures().contents == 1 }
    expectEqual(await again.read(kept.hash), .success([1]), "the other one stays")
    withExtendedLifetime(other) {}
  }

  @Test func `a content that nobody told the store of goes`() async throws {
    let harness = try Harness()
    defer { harness.remove() }
    let lost = try await harness.write([[9]], isKept: false)
    await harness.until("it is gone") { await harness.read(lost.hash) == .failure(.missing) }
    let writer = harness.folder.begin()
    writer.cancel()
    let error = await withCheckedContinuation { continuation in writer.write([1]) { continuation.resume(returning: $0) } }
    expectEqual(error, .missing, "after its end")
    let result = await withCheckedContinuation { continuation in writer.finish { continuation.resume(returning: $0) } }
    expectEqual(result, .failure(.missing), "after its end")
  }

  @Test func `a folder that cannot be made is refused`() {
    var failure: FileStoreError?
    do { _ = try Harness(path: "/proc/nowhere/files") } catch { failure = error as? FileStoreError }
    expectEqual(failure, .missing, "no parent")
  }
}
