import ChatEngine
import GatewayProtocol
import Observability

/// The replies of one batch, which go back as one array when the last is there (JSON-RPC 2.0 §6), and the subscriptions that wait for that.
final class BatchReplies {
  private var left: Int
  private var replies: [[UInt8]] = []
  /// What the replies take in the array, bytes.
  private(set) var byteCount = 0
  /// What was subscribed in the batch: events of a topic come after the array, so its shard hears of it then.
  private var subscriptions: [HeldSubscription] = []
  /// The ids of the batch, in flight until the array is queued.
  private(set) var ids: [RequestID] = []
  /// Why the connection is closed behind the array; nil where it goes on.
  var farewell: (CloseReason, CloseCause)?

  init(calls: Int) { left = calls }

  /// An id of the batch is in flight.
  func took(_ id: RequestID) { ids.append(id) }

  /// One call is done, with a reply or, as a notification, without; true when it was the last.
  func add(_ reply: [UInt8]?) -> Bool {
    if let reply {
      replies.append(reply)
      byteCount += reply.count + 1
    }
    left -= 1
    return left == 0
  }

  /// Holds a subscription back until the array is sent.
  func hold(_ subscription: HeldSubscription) { subscriptions.append(subscription) }

  /// A subscription ended; says whether it was held back.
  func drop(_ subscriber: SubscriberID) -> Bool {
    guard let index = subscriptions.firstIndex(where: { $0.subscriber == subscriber }) else { return false }
    subscriptions.remove(at: index)
    return true
  }

  /// What is to be told to the shards behind the array.
  func takeSubscriptions() -> [HeldSubscription] {
    defer { subscriptions = [] }
    return subscriptions
  }

  /// The array; nil where no call asked for a reply.
  var encoded: [UInt8]? { ServerMessage.batch(of: replies) }
}
