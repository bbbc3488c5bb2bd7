import ChatEngine
import ChatModel
import GatewayProtocol

/// What the hub knows of one session of the process.
final class LocalMember {
  private struct Subscription {
    let topic: Topic
    let subscriber: SubscriberID
    /// The hash of the snapshot that was shown last; nil while none was.
    var shown: UInt64?
  }

  let endpoint: Endpoint
  let receive: @Sendable (LocalEvent) -> Void
  private(set) var caller: Caller
  private(set) var isOpen = false
  private var lastSerial: UInt64 = 0
  private var answers: [UInt64: LocalSession.Answer] = [:]
  private var held: [(ChatCall, LocalSession.Answer)] = []
  /// By the topic's name.
  private var subscriptions: [String: Subscription] = [:]

  init(_ endpoint: Endpoint, _ opening: LocalOpening) {
    self.endpoint = endpoint
    receive = opening.receive
    caller = Caller(user: opening.user, kind: opening.kind, permissions: Permissions())
  }

  var user: UserID { caller.user }

  // MARK: - Calls

  /// Keeps a call until the session is open.
  func hold(_ call: ChatCall, _ answer: @escaping LocalSession.Answer) { held.append((call, answer)) }

  /// The session is open; returns the calls that waited for it.
  func opened(with permissions: Permissions, muted: Set<UserID>) -> [(ChatCall, LocalSession.Answer)] {
    caller = Caller(user: caller.user, kind: caller.kind, permissions: permissions, muted: muted)
    isOpen = true
    defer { held = [] }
    return held
  }

  /// The number under which the answer to a call comes back.
  func call(_ answer: @escaping LocalSession.Answer) -> CallID {
    lastSerial += 1
    answers[lastSerial] = answer
    return CallID(endpoint: endpoint, serial: lastSerial)
  }

  /// The answer came.
  func answered(_ serial: UInt64, _ result: Result<ChatReply, ChatError>) { answers.removeValue(forKey: serial)?(result) }

  /// Those who wait for an answer that will not come.
  func takeAnswers() -> [LocalSession.Answer] {
    defer { (answers, held) = ([:], []) }
    return answers.values + held.map(\.1)
  }

  // MARK: - Subscriptions

  /// Begins a subscription; nil where there is one.
  func subscribe(_ request: TopicRequest) -> SubscriberID? {
    guard subscriptions[request.name] == nil else { return nil }
    lastSerial += 1
    let subscriber = SubscriberID(endpoint: endpoint, serial: lastSerial)
    subscriptions[request.name] = Subscription(topic: request.topic, subscriber: subscriber)
    return subscriber
  }

  /// Ends a subscription.
  func unsubscribe(_ name: String) -> SubscriberID? { subscriptions.removeValue(forKey: name)?.subscriber }

  /// Ends all of them.
  func takeSubscriptions() -> [(Topic, SubscriberID)] {
    defer { subscriptions = [:] }
    return subscriptions.values.map { ($0.topic, $0.subscriber) }
  }

  /// The session does not see these users from now on; returns the subscriptions that are to hear of it.
  func mute(_ users: Set<UserID>) -> [(Topic, SubscriberID)] {
    guard caller.muted != users else { return [] }
    caller.muted = users
    return subscriptions.values.map { ($0.topic, $0.subscriber) }
  }

  /// The subscription to a topic that shows something.
  func active(_ name: String) -> SubscriberID? { subscriptions[name].flatMap { $0.shown == nil ? nil : $0.subscriber } }

  /// Notes a snapshot; false where it equals the last one, or where nobody watches any more.
  func shows(_ shared: SharedSnapshot, to subscriber: SubscriberID) -> Bool {
    guard let known = subscriptions[shared.topic], known.subscriber == subscriber, known.shown != shared.hash else { return false }
    subscriptions[shared.topic]?.shown = shared.hash
    return true
  }
}
