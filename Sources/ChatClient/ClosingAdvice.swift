import ChatSDK

/// How a connection ended.
enum LinkEnd: Equatable {
  /// The gateway closed with a code, 1005 where it gave none.
  case closed(code: UInt16, reason: String)
  /// The upgrade was answered otherwise.
  case refused(status: Int)
  /// It broke, or could not be made.
  case broken(String)
  /// The certificate is not believed, or the peer speaks no TLS.
  case insecure(String)
}

/// What a client does after an end (`docs/protocol.md`, Heartbeat and closing).
enum ClosingAdvice: Equatable {
  /// It does not come back.
  case stop(ChatError)
  /// It comes back after a random time, and after so many milliseconds at least.
  case backOff(atLeastMs: Int)
  /// It comes back with a new token.
  case renewToken
  /// It comes back at once.
  case atOnce

  init(after end: LinkEnd) {
    switch end {
    case .broken: self = .backOff(atLeastMs: 0)
    case .insecure(let reason): self = .stop(ChatError(.forbidden, "The gateway is not who it should be: \(reason)"))
    case .refused(let status): self = Self.after(status: status)
    case .closed(let code, let reason): self = Self.after(code: code, reason)
    }
  }

  private static func after(status: Int) -> ClosingAdvice {
    switch status {
    case 401: .stop(ChatError(.unauthenticated, "The gateway does not take the token"))
    case 403: .stop(ChatError(.forbidden, "The gateway does not let this client in"))
    case 408, 425, 429, 500...: .backOff(atLeastMs: 1_000)
    default: .stop(ChatError(.invalidRequest, "There is no gateway at this address: the upgrade was answered \(status)"))
    }
  }

  private static func after(code: UInt16, _ reason: String) -> ClosingAdvice {
    let error = ChatError(.connectionLost, "The gateway closed with \(code): \(reason)")
    switch code {
    case 1000, 1002, 1003, 1007, 1009: return .stop(error)
    case 4001: return .renewToken
    case 4002, 4003: return .stop(ChatError(.unauthenticated, reason))
    case 4000...4099: return .stop(error)
    case 4200...4299: return .atOnce
    default: return .backOff(atLeastMs: retryAfter(in: reason) ?? 0)
    }
  }

  /// The time in a reason that ends with `; retry_after_ms=N`.
  static func retryAfter(in reason: String) -> Int? {
    let mark = "; retry_after_ms="
    guard let place = reason.range(of: mark) else { return nil }
    return Int(reason[place.upperBound...]).map { min(max(0, $0), 3_600_000) }
  }
}

extension String {
  /// Where a text begins that stands in this one for the last time.
  fileprivate func range(of mark: String) -> Range<String.Index>? { ranges(of: mark).last }
}
