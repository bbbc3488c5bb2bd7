import CLinux
package import Glibc

/// What came of a receive or a send.
package enum IOResult: Hashable, Sendable {
  /// So many bytes were moved, perhaps fewer than asked for.
  case bytes(Int)
  /// The peer has sent all that it will; only of a receive.
  case endOfStream
  /// Nothing can be moved now: wait for readiness.
  case wouldBlock
  /// The connection is broken.
  case failed(SocketError)
}

/// Thin calls on nonblocking descriptors.
package enum Socket {
  // MARK: - Bytes

  /// Receives what is there, at most the buffer's size; no bytes for an empty buffer.
  package static func receive(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    guard buffer.count > 0 else { return .bytes(0) }
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .endOfStream }
      if let result = failure(of: .receive) { return result }
    }
  }

  /// Sends as much as the kernel takes; a peer that is gone is an error, not a signal.
  package static func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> IOResult {
    while true {
      let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if let result = failure(of: .send) { return result }
    }
  }

  /// Sends several ranges with one call, the first 1024 of them, as much as the kernel takes.
  package static func send(_ descriptor: CInt, vectors: UnsafeBufferPointer<iovec>) -> IOResult {
    var message = msghdr()
    message.msg_iov = UnsafeMutablePointer(mutating: vectors.baseAddress)
    message.msg_iovlen = min(vectors.count, maximumVectors)
    while true {
      let count = sendmsg(descriptor, &message, CInt(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if let result = failure(of: .send) { return result }
    }
  }

  /// The most ranges of one `send`: `UIO_MAXIOV` of the kernel.
  package static let maximumVectors = 1024

  /// Nil where the call was interrupted and has to be made again.
  private static func failure(of operation: SocketError.Operation) -> IOResult? {
    let code = errno
    switch code {
    case EINTR: return nil
    case EAGAIN: return .wouldBlock
    default: return .failed(SocketError(operation, code: code))
    }
  }

  // MARK: - Connections

  /// Takes a waiting connection, nonblocking and closed on exec; nil where none waits.
  ///
  /// It inherits TCP_NODELAY from the listening socket. Connections that broke while they waited are passed over.
  package static func accept(_ listener: CInt) throws(SocketError) -> (descriptor: CInt, peer: SocketAddress)? {
    var raw = RawSocketAddress()
    // Bounded, because a sandbox may answer EPERM for ever.
    for _ in 0..<64 {
      let descriptor = raw.write { accept4(listener, $0, $1, CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)) }
      if descriptor >= 0 { return (descriptor, SocketAddress(raw.storage) ?? .unix("")) }
      switch errno {
      case EAGAIN: return nil
      // accept(2): errors that were pending on the new connection are passed on; the next one may be sound.
      case EINTR, ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH, EPERM: continue
      default: throw .last(.accept)
      }
    }
    throw .last(.accept)
  }

  /// Begins to connect; the socket is writable when the attempt ended, and `pendingError` tells how.
  package static func connect(to address: SocketAddress) throws(SocketError) -> CInt {
    let raw = try RawSocketAddress(address)
    let descriptor = try open(raw.family)
    if raw.family != AF_UNIX { set(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1) }
    guard raw.read({ Glibc.connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS || errno == EINTR else {
      let error = SocketError.last(.connect)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The error that waits on a socket, such as that of a failed attempt to connect; asking takes it away.
  package static func pendingError(_ descriptor: CInt) -> SocketError? {
    var code: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return .last(.connect) }
    return code == 0 ? nil : SocketError(.connect, code: code)
  }

  /// Where a socket is bound; nil for a descriptor that is no socket.
  package static func localAddress(_ descriptor: CInt) -> SocketAddress? {
    var raw = RawSocketAddress()
    guard raw.write({ getsockname(descriptor, $0, $1) }) == 0 else { return nil }
    return SocketAddress(raw.storage)
  }

  // MARK: - Ends

  /// Tells the peer that no more bytes come; receiving goes on.
  package static func shutdownWriting(_ descriptor: CInt) {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// Closes a descriptor; what was sent is still delivered.
  ///
  /// Remove it from its loop before.
  package static func close(_ descriptor: CInt) {
    // Not repeated on EINTR: on Linux the descriptor is gone then too.
    _ = Glibc.close(descriptor)
  }

  /// Closes a descriptor and throws away what was not delivered; a TCP peer sees a reset.
  package static func abort(_ descriptor: CInt) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  // MARK: - Pieces

  /// A new stream socket, nonblocking and closed on exec.
  static func open(_ family: CInt) throws(SocketError) -> CInt {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw .last(.socket) }
    return descriptor
  }

  /// Sets an option that cannot fail on a socket of the right kind.
  static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}
