import ChatEngine
import ChatModel
import GatewayProtocol

/// The calls of one connection that arrived and are not answered yet.
///
/// Few at a time, so arrays are searched; all of them are given up as soon as they are empty: an idle connection keeps nothing.
struct PendingCalls {
  private struct Entry {
    let serial: UInt64
    let call: PendingCall
    /// Where a call that may still be cancelled is decided.
    let conversation: ConversationID?
  }

  /// What is done about a wish to cancel.
  enum Cancellation: Equatable {
    /// The conversation decides: the call has this number.
    case ask(ConversationID, serial: UInt64)
    /// The call did not begin: answer it.
    case answer
    case nothing
  }

  private var entries: [Entry] = []
  private var waiting: [WaitingCall] = []
  /// The ids from their arrival until their reply is queued, those of a batch until its array is.
  private var ids: Set<RequestID> = []

  /// Calls without a reply.
  var count: Int { entries.count + waiting.count }

  // MARK: - Ids

  /// An id arrived; says whether it was free.
  mutating func arrived(_ id: RequestID) -> Bool { ids.insert(id).inserted }

  /// The reply to an id is queued.
  mutating func answered(_ id: RequestID) {
    ids.remove(id)
    if ids.isEmpty { ids = [] }
  }

  // MARK: - Calls with others

  /// A call is handed on under a number.
  mutating func add(_ call: PendingCall, serial: UInt64, in conversation: ConversationID? = nil) {
    entries.append(Entry(serial: serial, call: call, conversation: conversation))
  }

  /// The reply to a number came; nil where none is awaited.
  mutating func take(serial: UInt64) -> PendingCall? {
    guard let index = entries.firstIndex(where: { $0.serial == serial }) else { return nil }
    let call = entries.remove(at: index).call
    if entries.isEmpty { entries = [] }
    return call
  }

  /// The number of the `loadMore` that runs for a subscription; nil where none does.
  func runningPage(of subscriber: SubscriberID) -> UInt64? {
    entries.first { if case .page(of: subscriber) = $0.call.kind { true } else { false } }?.serial
  }

  /// Takes the calls that get the reply of a `loadMore` too, in the order of their arrival.
  mutating func takeJoined(to serial: UInt64) -> [PendingCall] {
    let joins = { (entry: Entry) in if case .joinedPage(of: serial) = entry.call.kind { true } else { false } }
    let joined = entries.filter(joins).map(\.call)
    if !joined.isEmpty { entries.removeAll(where: joins) }
    return joined
  }

  // MARK: - Calls before their time

  /// Keeps a call until `takeWaiting`.
  mutating func hold(_ call: WaitingCall) { waiting.append(call) }

  /// The calls that waited, in the order of their arrival.
  mutating func takeWaiting() -> [WaitingCall] {
    defer { waiting = [] }
    return waiting
  }

  /// Takes one call that waits, by its id.
  mutating func takeWaiting(_ id: RequestID) -> WaitingCall? {
    guard let index = waiting.firstIndex(where: { $0.call.id == id }) else { return nil }
    return waiting.remove(at: index)
  }

  /// A client wants a call cancelled.
  func cancellation(of id: RequestID) -> Cancellation {
    if waiting.contains(where: { $0.call.id == id }) { return .answer }
    guard let entry = entries.first(where: { $0.call.id == id }), let conversation = entry.conversation else { return .nothing }
    return .ask(conversation, serial: entry.serial)
  }

  /// The calls that may still be cancelled, each with the conversation that decides on it.
  ///
  /// - Parameter onlyPages: Whether only readings are meant: what a client asked to be done is done although it left.
  func cancellable(onlyPages: Bool) -> [(ConversationID, serial: UInt64)] {
    entries.compactMap { entry in
      guard let conversation = entry.conversation, !onlyPages || entry.call.method == .conversationHistory else { return nil }
      return (conversation, serial: entry.serial)
    }
  }

  /// The sends that may wait for their turn, each with its conversation.
  var sends: [(ConversationID, serial: UInt64)] {
    entries.compactMap { entry in
      guard let conversation = entry.conversation, entry.call.method == .conversationSend else { return nil }
      return (conversation, serial: entry.serial)
    }
  }

  /// The connection ended: nobody is answered any more.
  mutating func removeAll() { self = PendingCalls() }
}
