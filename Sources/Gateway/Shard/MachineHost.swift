import Transport

/// A machine of a shard with what the shard keeps about it.
final class MachineHost<Machine> {
  var machine: Machine
  /// Tells this machine from an earlier one of the same name: what the store answers to that one is not for this.
  let incarnation: UInt64
  /// The timer of the machine's last wish to be woken.
  var timer: TimerID?
  /// When something last happened to it, by the loop's clock.
  var lastEvent: UInt64

  init(_ machine: Machine, incarnation: UInt64, now: UInt64) {
    self.machine = machine
    self.incarnation = incarnation
    lastEvent = now
  }
}
