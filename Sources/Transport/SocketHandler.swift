import CLinux

/// What a registered descriptor is watched for; level triggered.
///
/// Hangups and errors are reported in any case, with an empty interest too.
package struct Interest: OptionSet, Hashable, Sendable {
  /// The bits of an epoll event.
  package let rawValue: UInt32
  /// A set given by its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bytes, a connection or an end of stream to take.
  package static var read: Interest { Interest(rawValue: EPOLLIN.rawValue) }
  /// Room in the send buffer, or an attempt to connect that ended; to be asked for only while a write is blocked.
  package static var write: Interest { Interest(rawValue: EPOLLOUT.rawValue) }
  /// The peer stopped sending, told even while its bytes are not read.
  package static var peerClose: Interest { Interest(rawValue: EPOLLRDHUP.rawValue) }
}

/// What is true of a descriptor now.
package struct Readiness: OptionSet, Hashable, Sendable {
  /// The bits of an epoll event.
  package let rawValue: UInt32
  /// A set given by its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A receive or an accept would not block.
  package static var readable: Readiness { Readiness(rawValue: EPOLLIN.rawValue) }
  /// A send would not block.
  package static var writable: Readiness { Readiness(rawValue: EPOLLOUT.rawValue) }
  /// Both directions are shut.
  package static var hangup: Readiness { Readiness(rawValue: EPOLLHUP.rawValue) }
  /// The socket has a pending error; the next call tells which.
  package static var error: Readiness { Readiness(rawValue: EPOLLERR.rawValue) }
  /// The peer stopped sending; only with `Interest.peerClose`.
  package static var peerClosed: Readiness { Readiness(rawValue: EPOLLRDHUP.rawValue) }
}

/// What lives on a loop and owns a descriptor.
package protocol SocketHandler: AnyObject {
  /// The descriptor is ready for some of what it is watched for.
  func ready(_ events: Readiness, on loop: isolated EventLoop)
  /// The turn ends after `loop.wantsFlush(self)`; also called when the handler was removed in between, so it must know that it is closed.
  func flush(on loop: isolated EventLoop)
}

/// What a timer wakes.
package protocol TimerTarget: AnyObject {
  /// The timer that was scheduled with `tag` is due; it is gone and its id worthless.
  func timerFired(_ tag: Int, on loop: isolated EventLoop)
}

/// What a mailbox wakes.
package protocol MailboxOwner: AnyObject {
  /// Some mailbox of this loop has mail, perhaps not this owner's: take from each of your own.
  func mailArrived(on loop: isolated EventLoop)
}
