import GatewayProtocol
import Observability

/// The replies of one batch, which go back as one array when the last is there (JSON-RPC 2.0 §6), and what waits for that.
final class BatchReplies {
  private var left: Int
  private var replies: [[UInt8]] = []
  /// The snapshots that came for topics subscribed in the batch, the newest of each, in the order of the first.
  private var held: [SharedSnapshot] = []
  /// The ids of the batch, in flight until the array is queued.
  private(set) var ids: [RequestID] = []
  /// Why the connection is closed behind the array; nil where it goes on.
  var farewell: (CloseReason, CloseCause)?
  /// Whether a reply carries a token.
  var isSecret = false

  init(calls: Int) { left = calls }

  /// Whether the array was not sent yet.
  var isOpen: Bool { left > 0 }

  /// An id of the batch is in flight.
  func took(_ id: RequestID) { ids.append(id) }

  /// One call is done, with a reply or, as a notification, without; true when it was the last.
  func add(_ reply: [UInt8]?) -> Bool {
    if let reply { replies.append(reply) }
    left -= 1
    return left == 0
  }

  /// Holds a snapshot back until the array is sent.
  func hold(_ snapshot: SharedSnapshot) {
    if let index = held.firstIndex(where: { $0.topic == snapshot.topic }) { held[index] = snapshot } else { held.append(snapshot) }
  }

  /// Drops what is held of a topic.
  func drop(_ topic: String) { held.removeAll { $0.topic == topic } }

  /// What is to be shown behind the array.
  func takeHeld() -> [SharedSnapshot] {
    defer { held = [] }
    return held
  }

  /// The array; nil where no call asked for a reply.
  var encoded: [UInt8]? { ServerMessage.batch(of: replies) }
}
