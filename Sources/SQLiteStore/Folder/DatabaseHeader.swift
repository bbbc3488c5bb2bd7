/// The first bytes of a database file (https://www.sqlite.org/fileformat.html §1.3).
enum DatabaseHeader {
  /// The bytes that `isOurs` looks at.
  static let size = 100

  /// Whether a file that begins with these bytes is empty or one of ours.
  ///
  /// The application's id stands in the file itself from its first transaction on, because it is written before the write-ahead
  /// log is switched on.
  static func isOurs(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty { return true }
    guard bytes.count >= size, bytes.starts(with: magic) else { return false }
    return bytes[68..<72].reduce(0) { $0 << 8 | Int64($1) } == Schema.applicationID
  }

  private static let magic = Array("SQLite format 3\0".utf8)
}
