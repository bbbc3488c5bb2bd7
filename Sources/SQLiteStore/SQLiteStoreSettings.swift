/// What may be chosen when a store is opened.
package struct SQLiteStoreSettings: Sendable {
  /// Days after which a `clientMessageId` may be forgotten (`messages.dedupeDays`).
  package var dedupeDays = 30
  /// Hours that a file waits for the first message that has it (`files.unusedHours`).
  package var unusedFileHours = 24
  /// Connections that read at the same time.
  package var readers = 2
  /// Pages of the write-ahead log at which it is copied into the database file.
  package var pagesPerCheckpoint: Int32 = 4_000
  /// The most pages that the database file may have: how tests fill the disk.
  package var maxPages: Int64?

  /// Makes the settings that hold where nothing is configured.
  package init() {}

  var keptMilliseconds: Int64 { Int64(clamping: max(0, min(dedupeDays, 36_500))) * 86_400_000 }

  var unusedFileMilliseconds: Int64 { Int64(clamping: max(0, min(unusedFileHours, 876_000))) * 3_600_000 }
}
