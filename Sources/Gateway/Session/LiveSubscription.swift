import ChatEngine
import ChatModel
import Observability

/// A subscription of a connection, with what the connection needs to deliver it.
struct LiveSubscription {
  var machine: SubscriptionMachine
  let topic: Topic
  /// Under this key a newer snapshot replaces one that still waits to be sent.
  var key: UInt32
  /// Whether the last snapshot was null: a change of that is never collapsed.
  var wasNull: Bool?
  /// The batch whose reply has to go out first.
  var batch: BatchReplies?

  /// How it is counted.
  var state: SubscriptionCounts.State { machine.isActive ? .active : .pending }
}
