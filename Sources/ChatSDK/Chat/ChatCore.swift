import ChatModel
import Locks

/// What a chat is made of: references and subscriptions hold it, so that it outlives the `ChatImpl` by the time that its end takes.
///
/// All that it knows is behind one lock. Calls go to the transport under it, so that they arrive in the order in which they were decided;
/// whoever is told is told without it.
package final class ChatCore: Sendable {
  typealias Waiter<Value> = CheckedContinuation<Result<Value, ChatError>, Never>

  /// What is done once the lock is free.
  typealias Effects = [@Sendable () -> Void]

  let configuration: ChatConfiguration
  let translator: PayloadTranslator?
  let deliveries = DeliveryQueue()
  let transport: any ChatTransport
  let state = Lock(ChatState())
  let born = ContinuousClock.now

  init(_ configuration: ChatConfiguration, _ transport: any ChatTransport) {
    self.configuration = configuration
    self.transport = transport
    translator = configuration.customPayloads.map { PayloadTranslator(payloads: $0) }
  }

  func nextID(_ state: inout ChatState) -> UInt64 {
    state.lastID += 1
    return state.lastID
  }

  static func run(_ effects: Effects) { for effect in effects { effect() } }

  // MARK: - Life

  /// Opens the transport where it is not open, and waits for a session.
  func start() async throws(ChatError) {
    try configuration.check()
    try await withCheckedContinuation { (continuation: Waiter<Void>) in
      let (known, opens) = state.withLock { state -> (Result<Void, ChatError>?, Bool) in
        switch state.phase {
        case .failed(let error): return (.failure(error), false)
        case .destroyed: return (.failure(.destroyed), false)
        case .open where state.isConnected: return (.success(()), false)
        case .open:
          state.starts.append(continuation)
          return (nil, false)
        case .fresh:
          state.phase = .open
          state.starts.append(continuation)
          return (nil, true)
        }
      }
      if let known { continuation.resume(returning: known) }
      if opens { transport.open { [weak self] in self?.receive($0) } }
    }.get()
    try await makeUser()
  }

  /// Makes the own user where there is none, so that others can find them; where clients may not, a backend did.
  private func makeUser() async throws(ChatError) {
    guard let user = state.withLock({ $0.hasMadeUser ? nil : $0.user }) else { return }
    var patch = UserPatch()
    patch.name = user.name
    do throws(ChatError) { _ = try await call(.operation(.onUser(user.id, .createIfNotExists(patch)))) } catch {
      guard error.code == .syncDisabled || error.code == .forbidden else { throw error }
    }
    state.withLock { $0.hasMadeUser = true }
  }

  /// Whether there is no session though there should be one.
  var isReconnecting: Bool {
    state.withLock { state in if case .open = state.phase { !state.isConnected } else { false } }
  }

  /// The user of the session.
  func currentUser() throws(ChatError) -> UserID {
    let (user, isDestroyed) = state.withLock { state in
      if case .destroyed = state.phase { (state.user, true) } else { (state.user, false) }
    }
    if isDestroyed { throw .destroyed }
    guard let user else { throw .notInitialized }
    return user.id
  }

  /// Ends everything; whoever waits is told.
  func destroy() {
    let effects = state.withLock { state -> Effects? in
      if case .destroyed = state.phase { return nil }
      let wasOnline = state.isConnected
      state.phase = .destroyed
      state.isConnected = false
      let effects = endAll(&state, .destroyed) + (wasOnline ? announce(.offline, state) : [])
      state.listeners = [:]
      return effects
    }
    guard let effects else { return }
    transport.close()
    Self.run(effects)
    deliveries.finish()
  }

  func endAll(_ state: inout ChatState, _ error: ChatError) -> Effects {
    let (starts, waiters, feeds) = (state.starts, state.waiters, state.feeds)
    (state.starts, state.waiters, state.feeds) = ([], [:], [:])
    return [
      { for start in starts { start.resume(returning: .failure(error)) } },
      { for waiter in waiters.values { waiter.resume(returning: .failure(error)) } },
      { for feed in feeds.values { for subscriber in feed.subscribers { subscriber.fail(error) } } },
    ]
  }

  // MARK: - Listeners

  func listen(_ listener: ChatState.Listener) -> any AutoCloseable {
    let id = state.withLock { state -> UInt64 in
      let id = nextID(&state)
      if case .destroyed = state.phase { return id }
      state.listeners[id] = listener
      return id
    }
    return ListenerHandle { [weak self] in self?.state.withLock { $0.listeners[id] = nil } }
  }

  private func announce(_ status: ConnectionStatus, _ state: ChatState) -> Effects {
    log(.info) { "connection \(status)" }
    let listeners = state.listeners.sorted { $0.key < $1.key }
    return listeners.compactMap { id, listener in
      guard case .status(let tell) = listener else { return nil }
      return { self.deliveries.add { if self.isListening(id) { tell(status) } } }
    }
  }

  /// One that was removed hears nothing that was on its way.
  private func isListening(_ id: UInt64) -> Bool {
    state.withLock { state in
      if case .destroyed = state.phase { return true }
      return state.listeners[id] != nil
    }
  }

  /// Tells what happens, where the configuration wants it.
  func log(_ level: LogLevel, _ text: () -> String) {
    guard level.rawValue <= configuration.logLevel.rawValue else { return }
    print("parley \(level): \(text())")
  }

  // MARK: - Pauses

  func pause() {
    let effects = state.withLock { state -> Effects in
      guard case .open = state.phase, !state.isPaused else { return [] }
      state.isPaused = true
      return all(&state) { $0.paused() } + (state.isConnected ? announce(.offline, state) : [])
    }
    Self.run(effects)
  }

  func resume() {
    let effects = state.withLock { state -> Effects in
      guard case .open = state.phase, state.isPaused else { return [] }
      state.isPaused = false
      guard state.isConnected else { return [] }
      return all(&state) { $0.connected() } + announce(.online, state)
    }
    Self.run(effects)
  }

  // MARK: - Events

  func receive(_ event: TransportEvent) {
    let effects = state.withLock { state -> Effects in
      guard case .open = state.phase else { return [] }
      switch event {
      case .connected(let user):
        state.isConnected = true
        state.user = user
        // Before anything is subscribed.
        for user in state.muted.sorted() { transport.perform(.operation(.onSelf(.mute(user)))) { _ in } }
        let starts = state.starts
        state.starts = []
        let woken: Effects = [{ for start in starts { start.resume(returning: .success(())) } }]
        if state.isPaused { return woken }
        return all(&state) { $0.connected() } + woken + announce(.online, state)
      case .disconnected(let error): return lost(error, &state)
      case .snapshot(let topic, let snapshot):
        remember(snapshot, &state)
        return feed(topic, &state) { $0.came(snapshot) }
      case .ended(let topic, let error): return feed(topic, &state) { $0.ended(error) }
      case .failed(let error):
        state.isConnected = false
        state.phase = .failed(error)
        let failures: Effects = state.listeners.values.compactMap { listener in
          guard case .failure(let tell) = listener else { return nil }
          return { self.deliveries.add { tell(error) } }
        }
        return endAll(&state, error) + announce(.connectionError(error), state) + failures
      }
    }
    Self.run(effects)
  }

  func lost(_ error: ChatError, _ state: inout ChatState) -> Effects {
    let starts = state.starts
    state.starts = []
    let wasKnown = !state.isConnected && starts.isEmpty
    state.isConnected = false
    log(.warn) { "connection lost: \(error)" }
    let woken: Effects = [{ for start in starts { start.resume(returning: .failure(error)) } }]
    let feeds = all(&state) { $0.lost() }
    // One attempt after another that fails is no news.
    return woken + feeds + (wasKnown || state.isPaused ? [] : announce(.connectionError(error), state))
  }

  // MARK: - Calls

  /// Performs a call; fails at once where the chat cannot, and in bounded time in any case.
  func call(_ call: ChatCall) async throws(ChatError) -> ChatReply {
    try await waitForAnswer { id, _ in
      transport.perform(call) { [weak self] in self?.wake(id, $0) }
      return []
    }
  }

  /// Begins something and waits until its number is woken: by its answer, by the end of the chat, or because the task is cancelled.
  func waitForAnswer(_ begin: (UInt64, inout ChatState) throws(ChatError) -> Effects) async throws(ChatError) -> ChatReply {
    let id = state.withLock { nextID(&$0) }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Waiter<ChatReply>) in
        let begun = state.withLock { state -> Result<Effects, ChatError> in
          if let refusal = Task.isCancelled ? .cancelled : Self.refusal(state) { return .failure(refusal) }
          state.waiters[id] = continuation
          do throws(ChatError) { return .success(try begin(id, &state)) } catch {
            state.waiters[id] = nil
            return .failure(error)
          }
        }
        switch begun {
        case .failure(let error): continuation.resume(returning: .failure(error))
        case .success(let effects): Self.run(effects)
        }
        // Cancelled in between, nobody was found to be woken.
        if Task.isCancelled { wake(id, .failure(.cancelled)) }
      }
    } onCancel: {
      wake(id, .failure(.cancelled))
    }.get()
  }

  static func refusal(_ state: ChatState) -> ChatError? {
    switch state.phase {
    case .fresh: .notInitialized
    case .open: nil
    case .failed(let error): error
    case .destroyed: .destroyed
    }
  }

  func wake(_ id: UInt64, _ result: Result<ChatReply, ChatError>) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: result)
  }

  /// Waits; ends with an error where the chat does.
  func sleep(_ milliseconds: Int64) async throws(ChatError) {
    _ = try await waitForAnswer { id, _ in
      later(milliseconds) { $0.wake(id, .success(.done)) }
      return []
    }
  }

  func later(_ milliseconds: Int64, _ body: @escaping @Sendable (ChatCore) -> Void) {
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(milliseconds))
      if let self { body(self) }
    }
  }
}
