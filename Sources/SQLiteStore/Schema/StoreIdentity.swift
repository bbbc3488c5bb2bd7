import CSQLite
import ChatEngine
import ChatModel
import Glibc

/// What a store is given when it is made and keeps for good.
struct StoreIdentity: Sendable {
  /// Tells this store from every other one: 16 hexadecimal digits.
  let epoch: String
  /// Signs the ids of guests: 32 random bytes.
  let guestKey: [UInt8]

  /// Reads the identity, and makes it in a new store.
  static func load(from database: Database, now: Timestamp) throws(StoreError) -> StoreIdentity {
    if let identity = try read(from: database) { return identity }
    let insert = try database.prepare("INSERT OR IGNORE INTO meta (one, epoch, guest_key, created_at) VALUES (1, ?1, ?2, ?3)")
    let epoch = try random(8)
    let guestKey = try random(guestKeyBytes)
    try insert.run { statement in
      statement.bind(hexadecimal(epoch))
      statement.bind(blob: guestKey)
      statement.bind(now)
    }
    guard let identity = try read(from: database) else { throw .badRow("the store's identity") }
    return identity
  }

  private static let guestKeyBytes = 32

  private static func read(from database: Database) throws(StoreError) -> StoreIdentity? {
    try database.prepare("SELECT epoch, guest_key FROM meta").use { (statement) throws(StoreError) in
      guard try statement.step() else { return nil }
      let identity = StoreIdentity(epoch: statement.text(), guestKey: statement.blob())
      // A short key would sign ids that can be guessed.
      guard identity.guestKey.count == guestKeyBytes, !identity.epoch.isEmpty else { throw .badRow("the store's identity") }
      return identity
    }
  }

  private static func random(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard getentropy(&bytes, count) == 0 else {
      throw StoreError(.inputOutput, code: errno, "The system gave no random bytes (\(String(cString: strerror(errno)))).")
    }
    return bytes
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
