package import ChatModel
package import Crypto
package import GatewayProtocol
import Locks
package import Observability
import Transport
import WebSocketProtocol

/// Whether people without a token may come in (`auth.guests`).
package enum GuestPolicy: Hashable, Sendable {
  case refused
  /// No key is configured: a guest may choose an id.
  case named
  /// A key is configured: the server makes the ids.
  case anonymous
}

/// What a reload may change while the gateway runs.
package struct ReloadableSettings: Sendable {
  package var verifier: TokenVerifier
  package var guests: GuestPolicy
  /// Whether guests are only let in on connections that no proxy forwarded: so where nobody switched them on by name.
  package var guestsMustBeDirect: Bool
  package var roles: [String: Permissions]
  /// Origins that are let in besides the gateway's own.
  package var origins: Set<String>

  package init(verifier: TokenVerifier, guests: GuestPolicy, guestsMustBeDirect: Bool, roles: [String: Permissions], origins: Set<String>) {
    self.verifier = verifier
    self.guests = guests
    self.guestsMustBeDirect = guestsMustBeDirect
    self.roles = roles
    self.origins = origins
  }

  /// What a role permits; a role that is not configured any more permits what `default` does.
  func permissions(of role: String) -> Permissions { roles[role] ?? roles[UserRecord.defaultRole] ?? Permissions() }
}

/// The bounds of chat sessions.
package struct SessionLimits: Hashable, Sendable {
  package var calls: CallLimits
  package var maxFragments: Int
  /// Calls of one connection without a reply; beyond them its socket is not read.
  package var maxInFlight: Int
  package var maxSubscriptions: Int
  /// Operations in a second, of a user and of a connection; 0 for no limit.
  package var operationsPerSecond = 0
  /// Operations at once before the rate counts.
  package var operationsBurst = 200
  /// Milliseconds from the upgrade to an open session.
  package var authenticationMs: UInt64 = 10_000

  package init(calls: CallLimits, maxFragments: Int, maxInFlight: Int, maxSubscriptions: Int) {
    self.calls = calls
    self.maxFragments = maxFragments
    self.maxInFlight = maxInFlight
    self.maxSubscriptions = maxSubscriptions
  }

  /// What a message may be before a session is open (`docs/opening.md`).
  var beforeSession: MessageLimits {
    MessageLimits(maxMessageBytes: min(8_192, calls.maxMessageBytes), maxFragments: maxFragments)
  }

  /// What a message may be in an open session.
  var messages: MessageLimits { MessageLimits(maxMessageBytes: calls.maxMessageBytes, maxFragments: maxFragments) }
}

/// What all loops of a gateway share; every part may be used from any thread.
package final class GatewayServices: Sendable {
  package let name: String
  package let version: String
  package let chat: ChatSettings
  package let limits: SessionLimits
  package let connections: ConnectionLimits
  /// Signs the tokens that bring guests back.
  package let guestSigner: TokenSigner?
  /// Whether every address that is listened on is a loopback one.
  package let isLoopbackOnly: Bool
  /// Whether a token may stand in the query of the upgrade.
  package let allowsQueryToken: Bool
  package let monitoring: Monitoring
  package let log: Logger
  /// What is needed to take and give files; nil: there are none.
  package let files: FileServices?
  let admission: ConnectionAdmission
  private let changing: Lock<ReloadableSettings>
  private let reloadListeners = Lock<[@Sendable (ReloadableSettings) -> Void]>([])
  /// A user may use all loops, so what they all may do is kept in one place.
  let userBudgets: UserBudgets
  /// An address may use all loops, so its guests are counted in one place.
  private let guestArrivals = Lock(GuestArrivals())

  package init(
    name: String, version: String, chat: ChatSettings, limits: SessionLimits, connections: ConnectionLimits, guestSigner: TokenSigner?,
    isLoopbackOnly: Bool, allowsQueryToken: Bool, monitoring: Monitoring, log: Logger, reloadable: ReloadableSettings,
    files: FileServices? = nil
  ) {
    self.files = files
    self.name = name
    self.version = version
    self.chat = chat
    self.limits = limits
    self.connections = connections
    self.guestSigner = guestSigner
    self.isLoopbackOnly = isLoopbackOnly
    self.allowsQueryToken = allowsQueryToken
    self.monitoring = monitoring
    self.log = log
    admission = ConnectionAdmission(connections)
    changing = Lock(reloadable)
    userBudgets = UserBudgets(rate: OperationRate(perSecond: limits.operationsPerSecond, burst: limits.operationsBurst))
  }

  /// The settings as they are now.
  package var reloadable: ReloadableSettings { changing.withLock { $0 } }

  /// Counts a new guest of an address; returns nil when they may come in, else after how many milliseconds they may.
  func guestArrived(from address: SocketAddress, at tick: UInt64) -> UInt64? {
    guestArrivals.withLock { $0.arrived(from: address, at: tick) }
  }

  /// Replaces the settings that may change; open sessions keep what they have.
  package func reload(_ settings: ReloadableSettings) {
    changing.withLock { $0 = settings }
    for listener in reloadListeners.withLock({ $0 }) { listener(settings) }
  }

  /// Calls somebody behind each reload, on the thread that reloads.
  func whenReloaded(_ listener: @escaping @Sendable (ReloadableSettings) -> Void) { reloadListeners.withLock { $0.append(listener) } }
}
