import CLinux
import Glibc

extension Socket {
  /// Opens a listening socket at an address where nobody else listens, in this process or another; `isAddressInUse` tells of one.
  ///
  /// With `reusePort`, `share` can open more for the other loops. The socket is bound and listens before SO_REUSEPORT is set: with the option
  /// set first, as usual, a second gateway of the same user would get a part of the first one's connections instead of an error.
  /// A unix socket's file is removed first where nobody accepts on it any more. IPv6 sockets take IPv6 only.
  package static func listen(on address: SocketAddress, backlog: Int32 = 4096, reusePort: Bool = false) throws(SocketError) -> CInt {
    let raw = try RawSocketAddress(address)
    if case .unix(let path) = address { try removeStaleFile(path, raw) }
    let descriptor = try open(raw.family)
    do {
      try bind(descriptor, to: raw, backlog: backlog)
    } catch {
      close(descriptor)
      throw error
    }
    if reusePort, raw.family != AF_UNIX { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    return descriptor
  }

  /// Opens one more listening socket at the address of one that was opened with `reusePort`: the kernel spreads connections over them.
  ///
  /// Also right where port 0 was asked for. For a unix socket both take from one queue.
  package static func share(_ listener: CInt, backlog: Int32 = 4096) throws(SocketError) -> CInt {
    guard let address = localAddress(listener) else { throw SocketError(.listen, code: ENOTSOCK) }
    if case .unix = address {
      let copy = fcntl(listener, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .last(.listen) }
      return copy
    }
    let raw = try RawSocketAddress(address)
    let descriptor = try open(raw.family)
    set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1)
    do {
      try bind(descriptor, to: raw, backlog: backlog)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func bind(_ descriptor: CInt, to raw: RawSocketAddress, backlog: Int32) throws(SocketError) {
    if raw.family != AF_UNIX {
      set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      // Accepted sockets inherit it.
      set(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
    }
    if raw.family == AF_INET6 { set(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
    guard raw.read({ Glibc.bind(descriptor, $0, $1) }) == 0 else { throw .last(.bind) }
    guard Glibc.listen(descriptor, backlog) == 0 else { throw .last(.listen) }
  }

  private static func removeStaleFile(_ path: String, _ raw: RawSocketAddress) throws(SocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SocketError(.bind, code: ENOTSOCK) }
    let descriptor = try open(AF_UNIX)
    defer { close(descriptor) }
    let code = raw.read { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
    switch code {
    case ENOENT: return
    case ECONNREFUSED:
      guard unlink(path) == 0 || errno == ENOENT else { throw .last(.bind) }
    // EAGAIN: somebody listens, and the queue is full.
    case 0, EAGAIN: throw SocketError(.bind, code: EADDRINUSE)
    default: throw SocketError(.bind, code: code)
    }
  }
}
