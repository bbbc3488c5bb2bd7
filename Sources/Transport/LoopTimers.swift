import Dispatch

/// A loop's timing wheel and the one dispatch timer that follows it.
struct LoopTimers {
  /// Whom to wake, and for what.
  struct Timer {
    let target: any TimerTarget
    let tag: Int
  }

  private var wheel: TimingWheel<Timer>
  private var alarm: (any DispatchSourceTimer)?
  /// When the alarm rings; nil while it is not set.
  private var alarmTime: Tick?

  init(now: Tick) {
    wheel = TimingWheel(now: now)
  }

  mutating func schedule(_ target: any TimerTarget, tag: Int, at deadline: Tick, now: Tick) -> TimerID {
    // Nobody moves the time of an empty wheel.
    if wheel.isEmpty { _ = wheel.popExpired(at: now) }
    return wheel.schedule(Timer(target: target, tag: tag), at: deadline)
  }

  mutating func cancel(_ timer: TimerID) {
    wheel.cancel(timer)
  }

  mutating func popExpired(at now: Tick) -> Timer? {
    wheel.popExpired(at: now)
  }

  /// Whether the alarm is not set, or too late, for the next timer; set too early it does no harm.
  var needsArming: Bool {
    guard let deadline = wheel.nextDeadline else { return false }
    return alarmTime.map { deadline < $0 } ?? true
  }

  /// The alarm rang and is not set any more.
  mutating func alarmRang() {
    alarmTime = nil
  }

  /// Sets the alarm for the next timer where that is needed.
  mutating func arm(on queue: DispatchQueue, now: Tick, ring: @escaping @Sendable () -> Void) {
    guard needsArming, let deadline = wheel.nextDeadline else { return }
    alarmTime = deadline
    let wait = DispatchTimeInterval.milliseconds(Int(clamping: deadline.milliseconds(since: now)))
    if let alarm {
      alarm.schedule(deadline: .now() + wait)
      return
    }
    let alarm = DispatchSource.makeTimerSource(queue: queue)
    alarm.setEventHandler(handler: ring)
    alarm.schedule(deadline: .now() + wait)
    self.alarm = alarm
    alarm.resume()
  }

  /// Ends the alarm and lets go of all timers.
  mutating func stop(now: Tick) {
    alarm?.cancel()
    alarm = nil
    alarmTime = nil
    wheel = TimingWheel(now: now)
  }
}
