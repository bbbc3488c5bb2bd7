import ChatModel

/// Counts the uploads of all loops: how many run, how many a user began in the last minute, and how much room they will take.
struct UploadAdmission {
  /// What an upload takes up until it is over.
  struct Place: Hashable, Sendable {
    let user: UserID
    let network: ClientNetwork?
    let bytes: Int64
  }

  /// Why an upload may not begin.
  enum Refusal: Hashable, Sendable {
    /// Too many of the user, of the address or of all run already.
    case busy
    /// The user began too many in the last minute; after how many milliseconds the next may begin.
    case tooOften(retryAfterMs: UInt64)
    /// The user has no room left.
    case userIsFull
    /// Nobody has room left.
    case full
  }

  /// What is kept already.
  struct Usage: Hashable, Sendable {
    var ofUser: Int64
    var ofAll: Int64
  }

  private struct User {
    var running = 0
    var bytes: Int64 = 0
    /// When the budget of uploads is whole again, milliseconds.
    var fullAt: UInt64 = 0
  }

  /// Uploads at once: each has a descriptor and a piece of its body in memory.
  static let most = 256
  static let mostOfUser = 4
  static let mostOfNetwork = 32
  /// Users that are remembered before those are forgotten who owe nothing.
  private static let crowd = 1_024

  private var users: [UserID: User] = [:]
  private var networks: [ClientNetwork: Int] = [:]
  private var running = 0
  private var bytes: Int64 = 0

  /// An upload wants to begin; nil where it may.
  ///
  /// - Parameter now: Milliseconds of the loops' clock.
  mutating func begin(_ place: Place, _ usage: Usage, _ settings: FileSettings, at now: UInt64) -> Refusal? {
    var user = users[place.user] ?? User()
    guard running < Self.most, user.running < Self.mostOfUser else { return .busy }
    if let network = place.network, networks[network, default: 0] >= Self.mostOfNetwork { return .busy }
    if settings.uploadsPerMinute > 0 {
      let cost = UInt64(60_000 / settings.uploadsPerMinute)
      let earliest = max(user.fullAt, now)
      if earliest - now > 60_000 - min(60_000, cost) { return .tooOften(retryAfterMs: earliest - now - (60_000 - min(60_000, cost))) }
      user.fullAt = earliest + cost
    }
    guard Self.fits(place.bytes, on: [usage.ofUser, user.bytes], within: settings.bytesPerUser) else { return .userIsFull }
    guard Self.fits(place.bytes, on: [usage.ofAll, bytes], within: settings.totalBytes) else { return .full }
    user.running += 1
    user.bytes += place.bytes
    users[place.user] = user
    if let network = place.network { networks[network, default: 0] += 1 }
    running += 1
    bytes += place.bytes
    if users.count > Self.crowd { users = users.filter { $0.value.running > 0 || $0.value.fullAt > now } }
    return nil
  }

  /// An upload that began is over.
  mutating func end(_ place: Place) {
    running -= 1
    bytes -= place.bytes
    users[place.user]?.running -= 1
    users[place.user]?.bytes -= place.bytes
    guard let network = place.network, let count = networks[network] else { return }
    networks[network] = count > 1 ? count - 1 : nil
  }

  private static func fits(_ bytes: Int64, on used: [Int64], within limit: Int64) -> Bool {
    guard limit > 0 else { return true }
    let (sum, isOver) = used.reduce((bytes, false)) { result, next in
      let (sum, isOver) = result.0.addingReportingOverflow(next)
      return (sum, result.1 || isOver)
    }
    return !isOver && sum <= limit
  }
}
