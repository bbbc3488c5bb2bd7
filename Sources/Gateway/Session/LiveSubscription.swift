import ChatEngine
import ChatModel
import Observability

/// A subscription of a connection, with what the connection needs to deliver it.
///
/// There are many: small fields stand where others leave a gap.
struct LiveSubscription {
  var machine: SubscriptionMachine
  /// Under this key a newer snapshot replaces one that still waits to be sent.
  var key: UInt32
  let topic: Topic
  /// Whether the last snapshot was null: a change of that is never collapsed.
  var wasNull: Bool?
  /// Who subscribed: the session's user, or the one for whom it acted.
  ///
  /// Their list is meant by `conversations`.
  let viewer: UserID
  /// The hash of the frame that was queued last.
  var lastHash: UInt64 = 0
  /// The hash of the last frame that cannot be taken back.
  var sentHash: UInt64 = 0

  /// How it is counted.
  var state: SubscriptionCounts.State { machine.isActive ? .active : .pending }
}
