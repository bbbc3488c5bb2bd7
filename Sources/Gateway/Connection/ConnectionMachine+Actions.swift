import Observability
import Transport

// What the machine says, and what it notes.
extension ConnectionMachine {
  /// What is true beside the phase.
  struct Flags: OptionSet {
    let rawValue: UInt16
    /// The loop was asked for a flush.
    static let wantsFlush = Flags(rawValue: 1)
    /// The kernel takes no more bytes for now.
    static let isWriteBlocked = Flags(rawValue: 2)
    /// The receiver wants no more messages for now.
    static let isPaused = Flags(rawValue: 4)
    /// What was kept while nothing was read is to be gone through first.
    static let hasToResume = Flags(rawValue: 8)
    /// The peer sends no more.
    static let sawEnd = Flags(rawValue: 16)
    /// We told the peer that we send no more.
    static let sentEnd = Flags(rawValue: 32)
    /// TLS is spoken on the socket.
    static let speaksTLS = Flags(rawValue: 64)
    /// The handshake has something to read and waits for its turn.
    static let awaitsTurn = Flags(rawValue: 128)
    /// What is kept waits for the next round of the loop, not only for a flush.
    static let hasYielded = Flags(rawValue: 256)
  }

  /// What a socket is watched for; compared after every flush, so a byte of this module and not the loop's own type.
  struct Watch: OptionSet {
    let rawValue: UInt8
    static let reads = Watch(rawValue: 1)
    static let writes = Watch(rawValue: 2)
    /// That the peer sends no more, told although nothing is read.
    static let ends = Watch(rawValue: 4)

    /// The same for the loop.
    var interest: Interest {
      var interest: Interest = contains(.reads) ? .read : []
      if contains(.writes) { interest.insert(.write) }
      if contains(.ends) { interest.insert(.peerClose) }
      return interest
    }
  }

  /// What the bytes that arrive are.
  enum Input: Equatable {
    /// Perhaps a header of the PROXY protocol: bytes of the socket, before TLS is begun.
    case proxyHeader
    /// The beginning of a TLS handshake, as it came from the socket.
    case ciphertext
    case requests
    /// The body of a request.
    case body
    case frames
    /// Kept until their time comes.
    case kept
    case discarded
  }

  /// What is done about the readiness of the socket.
  enum ReadyAction: Equatable {
    case receive
    /// Wait for a turn at the TLS handshake.
    case awaitTurn
    case free(CloseCause)
    case nothing
  }

  /// What is done when the peer sends no more.
  enum EndAction: Equatable {
    case free(CloseCause)
    /// Send what is queued, then free the socket.
    case leave(CloseCause)
    case nothing
  }

  /// What follows an answer to a request.
  enum AnswerAction: Equatable {
    /// Read the next request.
    case readOn
    /// Close behind the answer.
    case leave(CloseCause)
    /// Nobody waits for an answer: do not send it.
    case nothing
  }

  /// What is done when everything queued is sent.
  enum SentAction: Equatable {
    /// Tell the peer that nothing follows, and discard what it sends for a while, so that our last bytes arrive.
    case sendEnd
    case free(CloseCause)
    case nothing
  }

  /// What is done when the timer fires.
  enum TimeAction: Equatable {
    /// The request did not come in time: answer 408.
    case refuseRequest
    /// The answer did not come in time: answer 503.
    case apologize
    case checkLife
    /// Look whether a body or an answer moves.
    case checkTransfer
    case free(CloseCause)
    case nothing
  }

  /// What is done when the gateway stops.
  enum DrainAction: Equatable {
    /// A request waits: answer 503.
    case refuseRequest
    /// Send a close frame.
    case close
    /// It goes already, or is idle and stays until all others are gone.
    case nothing
  }
}
