package import ChatEngine
package import ChatModel
import Dispatch
import Glibc
import Locks

/// The store on SQLite: one writer that commits in groups, a few readers, one locked folder.
package final class SQLiteStore: Store {
  /// Tells this store from every other one: 16 hexadecimal digits, made with it.
  package let epoch: String
  /// Signs the ids of guests: 32 random bytes, made with the store.
  package let guestKey: [UInt8]
  private let sizes: FileSizes
  private let writer: Writer
  private let readers: ReaderPool
  private let isClosing = Lock(false)
  /// Left when everything is closed.
  private let closed = DispatchGroup()

  /// Opens the store in a folder, which is made where it is missing and is locked until `close`.
  ///
  /// `now` tells the time of day, for the age of send keys. Throws `locked` where another Parley runs on the folder or it cannot be
  /// written, `newerVersion`, `corrupt` where the file is damaged or none of ours (it is not touched then), `full` or
  /// `inputOutput`; each sentence says what to do.
  package init(
    folder path: String, settings: SQLiteStoreSettings = SQLiteStoreSettings(), now: @escaping @Sendable () -> Timestamp = systemTime
  ) throws(StoreError) {
    let folder = try DataFolder(path)
    try folder.prepareFile()
    sizes = FileSizes(database: folder.database)
    let database = try Schema.openForWriting(folder, settings)
    let identity = try StoreIdentity.load(from: database, now: now())
    epoch = identity.epoch
    guestKey = identity.guestKey
    writer = try Writer(database, settings: settings, now: now)
    var readers: [Reader] = []
    for _ in 0..<max(1, min(settings.readers, Self.maxReaders)) { readers.append(try Reader(Schema.openForReading(folder))) }
    self.readers = ReaderPool(readers)
    closed.enter()
    writer.startUpkeep()
    sizes.measure()
  }

  private static let maxReaders = 16

  /// The system's time of day, milliseconds since the Unix epoch.
  package static let systemTime: @Sendable () -> Timestamp = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(time.tv_sec) * 1_000 + Timestamp(time.tv_nsec) / 1_000_000
  }

  package func read(_ queries: [StoreQuery], done: @escaping @Sendable (Result<[StoreAnswer], StoreError>) -> Void) {
    readers.read(queries, done: done)
  }

  package func commit(_ changes: ChangeSet, done: @escaping @Sendable (StoreError?) -> Void) { writer.commit(changes, done: done) }

  /// Calls somebody with the contents of files that are gone, on a thread of the store's.
  package func whenFilesReleased(_ listener: @escaping @Sendable ([FileHash]) -> Void) { writer.whenFilesReleased(listener) }

  /// Tells whether a commit would succeed now; for readiness.
  ///
  /// Writes nothing while commits succeed. After a failure of the disk it writes and removes 64 KiB, to learn whether it is over. The sizes of the
  /// files are looked at on the way.
  package func checkWritable(done: @escaping @Sendable (StoreError?) -> Void) {
    writer.probe { [sizes] error in
      sizes.measure()
      done(error)
    }
  }

  /// What the writer has done since the store was opened; the sizes of the files are those at the last check.
  package func statistics() -> StoreStatistics {
    var statistics = writer.statistics
    let sizes = sizes.last
    (statistics.databaseBytes, statistics.logBytes) = (sizes.database, sizes.log)
    statistics.memoryBytes = SQLiteLibrary.memoryBytes
    return statistics
  }

  /// Commits what waits, closes all connections, unlocks the folder, and returns when that is done.
  ///
  /// Calls after it are answered with `closed`. Must not be called from a callback of the store, which it would wait for.
  package func close() {
    let isFirst = isClosing.withLock { isClosing in
      defer { isClosing = true }
      return !isClosing
    }
    if isFirst {
      // The readers first: with none left the log can be emptied and its file removed.
      readers.close { [writer, closed] in writer.close { closed.leave() } }
    }
    closed.wait()
  }

  deinit {
    // A group that is let go while it is entered traps.
    if !isClosing.withLock({ $0 }) { closed.leave() }
  }
}
