import Dispatch
import Glibc

/// One event loop: an epoll descriptor, watched by one dispatch source on a serial queue.
///
/// What lives on it are plain classes that it calls with itself as the isolated parameter; nothing on that path allocates, hops or takes a lock.
/// A started loop keeps itself alive until `stop()`.
package actor EventLoop {
  /// The loop's number, for logs, and for choosing one by a hash.
  package nonisolated let index: Int
  /// 64 KiB shared by all that lives on the loop; what is in it is worth something only until the handler returns.
  package let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 64)

  private nonisolated let executor: LoopExecutor
  private nonisolated let wakeup: Wakeup
  /// Nil once the loop was stopped.
  private var poller: Poller?
  private var source: (any DispatchSourceRead)?
  private var handlers = HandlerTable()
  private var flushes = FlushList()
  private var owners: [any MailboxOwner] = []
  private var timers = LoopTimers(now: .now())
  /// The time of the turn that runs; nil outside of one.
  private var turnTime: Tick?

  /// No handler's descriptor has this mark.
  private static var wakeupMark: UInt64 { .max }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a loop that does nothing until it is started; fails where the process has no descriptors left.
  package init(index: Int) throws(SocketError) {
    self.index = index
    executor = LoopExecutor(label: "parley.loop.\(index)")
    wakeup = try Wakeup()
    let poller = try Poller()
    self.poller = poller
    try poller.add(wakeup.descriptor.number, .read, mark: EventLoop.wakeupMark)
  }

  isolated deinit {
    readBuffer.deallocate()
  }

  // MARK: - Life

  /// Begins to serve what is registered; once, and not after `stop()`.
  package func start() {
    guard let poller, source == nil else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor.number, queue: executor.queue)
    source.setEventHandler { self.assumeIsolated { $0.turn() } }
    // Dispatch forbids to close a descriptor before its source is cancelled.
    source.setCancelHandler { [descriptor = poller.descriptor] in withExtendedLifetime(descriptor) {} }
    self.source = source
    source.resume()
    armTimers()
  }

  /// Ends the loop and lets go of handlers, owners and timers; their descriptors are theirs to close.
  package func stop() {
    source?.cancel()
    source = nil
    poller = nil
    timers.stop(now: now)
    handlers.removeAll()
    flushes = FlushList()
    owners = []
  }

  // MARK: - Ways in

  /// Runs `body` on the loop; the way in from `async` code.
  package func run<R>(_ body: @Sendable (isolated EventLoop) throws -> sending R) rethrows -> sending R {
    let isOutermost = beginTurn()
    defer { if isOutermost { endTurn() } }
    return try body(self)
  }

  /// Runs `body` on the loop soon, from any thread, in the order of the calls of one thread.
  package nonisolated func execute(_ body: @escaping @Sendable (isolated EventLoop) -> Void) {
    executor.queue.async { self.assumeIsolated { $0.perform(body) } }
  }

  private func perform(_ body: @Sendable (isolated EventLoop) -> Void) {
    let isOutermost = beginTurn()
    body(self)
    if isOutermost { endTurn() }
  }

  /// Makes the loop look at its mailboxes, from any thread.
  package nonisolated func wake() {
    wakeup.signal()
  }

  /// The time of this turn, read once for each batch of events.
  package var now: Tick { turnTime ?? .now() }

  // MARK: - Descriptors

  /// Watches a descriptor until `remove`, which has to come before it is closed.
  package func register(_ descriptor: CInt, for interest: Interest, _ handler: any SocketHandler) throws(SocketError) {
    guard let poller, descriptor >= 0 else { throw SocketError(.poll, code: EBADF) }
    guard let mark = handlers.insert(handler, at: descriptor) else { throw SocketError(.poll, code: EEXIST) }
    do {
      try poller.add(descriptor, interest, mark: mark)
    } catch {
      _ = handlers.remove(descriptor)
      throw error
    }
  }

  /// Watches a registered descriptor for something else; nothing happens for another one.
  package func change(_ descriptor: CInt, to interest: Interest) {
    guard let mark = handlers.mark(of: descriptor) else { return }
    poller?.change(descriptor, interest, mark: mark)
  }

  /// Stops watching a descriptor, at once: no event that was already fetched reaches its handler, and none a later owner of the number.
  package func remove(_ descriptor: CInt) {
    guard handlers.remove(descriptor) else { return }
    poller?.remove(descriptor)
  }

  /// Calls the handler's `flush(on:)` at the end of this turn, once for each call: handlers keep a flag.
  package func wantsFlush(_ handler: any SocketHandler) {
    if flushes.isEmpty, turnTime == nil { wake() }
    flushes.append(handler)
  }

  // MARK: - Mail

  /// Tells an owner of mail from now on.
  package func own(_ owner: any MailboxOwner) {
    owners.append(owner)
    // Mail may have come before.
    wake()
  }

  /// Forgets an owner.
  package func disown(_ owner: any MailboxOwner) {
    owners.removeAll { $0 === owner }
  }

  // MARK: - Timers

  /// Wakes `target` at `deadline` or up to 16 ms later.
  package func schedule(_ target: any TimerTarget, tag: Int, at deadline: Tick) -> TimerID {
    let timer = timers.schedule(target, tag: tag, at: deadline, now: now)
    if turnTime == nil { armTimers() }
    return timer
  }

  /// Takes a timer back; nothing happens where it fired.
  package func cancel(_ timer: TimerID) {
    timers.cancel(timer)
  }

  private func armTimers() {
    guard source != nil else { return }
    timers.arm(on: executor.queue, now: now) { self.assumeIsolated { $0.timersDue() } }
  }

  private func timersDue() {
    let isOutermost = beginTurn()
    timers.alarmRang()
    let now = now
    while let timer = timers.popExpired(at: now) { timer.target.timerFired(timer.tag, on: self) }
    if isOutermost { endTurn() }
  }

  // MARK: - Turns

  private func turn() {
    let isOutermost = beginTurn()
    for _ in 0..<16 {
      guard let poller else { break }
      let count = poller.poll()
      guard count > 0 else { break }
      turnTime = .now()
      for index in 0..<count {
        let event = poller.event(index)
        if event.mark == EventLoop.wakeupMark {
          collectMail()
        } else if let handler = handlers.handler(for: event.mark) {
          handler.ready(event.readiness, on: self)
        }
      }
      flush()
    }
    if isOutermost { endTurn() }
  }

  private func collectMail() {
    wakeup.reset()
    for owner in owners { owner.mailArrived(on: self) }
  }

  private func beginTurn() -> Bool {
    guard turnTime == nil else { return false }
    turnTime = .now()
    return true
  }

  private func endTurn() {
    flush()
    // Who wants yet another flush waits for the next turn: others on the queue come first.
    if !flushes.isEmpty { wake() }
    if timers.needsArming { armTimers() }
    turnTime = nil
  }

  /// A flush may make others want one (a peer that is gone is news for the rest), so there are a few passes.
  private func flush() {
    for _ in 0..<4 where !flushes.isEmpty {
      flushes.beginPass()
      while let handler = flushes.next() { handler.flush(on: self) }
    }
  }
}
