import CLinux
package import Glibc

/// An address in the C library's form.
struct RawSocketAddress {
  private(set) var storage = sockaddr_storage()
  private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Room for the kernel to write to.
  init() {}

  /// The C form of an address; fails where the path of a unix socket is too long.
  init(_ address: SocketAddress) throws(SocketError) {
    switch address {
    case .ipv4(let host, let port):
      var raw = sockaddr_in()
      raw.sin_family = sa_family_t(AF_INET)
      raw.sin_port = port.bigEndian
      raw.sin_addr.s_addr = host.bits.bigEndian
      store(raw)
    case .ipv6(let host, let port, let scope):
      var raw = sockaddr_in6()
      raw.sin6_family = sa_family_t(AF_INET6)
      raw.sin6_port = port.bigEndian
      raw.sin6_addr = host.raw
      raw.sin6_scope_id = scope
      store(raw)
    case .unix(let path):
      guard path.utf8.count <= SocketAddress.maximumPathLength else { throw SocketError(.socket, code: ENAMETOOLONG) }
      var raw = sockaddr_un()
      raw.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: path.utf8) }
      store(raw)
    }
  }

  /// The address family, such as `AF_INET`.
  var family: CInt { CInt(storage.ss_family) }

  /// Lends the address to a call that reads it.
  func read<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) } }
  }

  /// Lends the room to a call that writes an address.
  mutating func write<R>(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R) -> R {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  private mutating func store<Raw>(_ raw: Raw) {
    withUnsafeMutableBytes(of: &storage) { target in withUnsafeBytes(of: raw) { target.copyMemory(from: $0) } }
    length = socklen_t(MemoryLayout<Raw>.size)
  }
}

extension SocketAddress {
  /// The longest path of a unix socket, in bytes, without the NUL at the end.
  static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Reads the C library's form; nil for families other than IPv4, IPv6 and unix.
  package init?(_ storage: sockaddr_storage) {
    let address = withUnsafeBytes(of: storage) { bytes -> SocketAddress? in
      switch CInt(storage.ss_family) {
      case AF_INET:
        let raw = bytes.load(as: sockaddr_in.self)
        return .ipv4(IPv4Address(bits: UInt32(bigEndian: raw.sin_addr.s_addr)), port: UInt16(bigEndian: raw.sin_port))
      case AF_INET6:
        let raw = bytes.load(as: sockaddr_in6.self)
        return SocketAddress(IPv6Address(raw.sin6_addr), port: UInt16(bigEndian: raw.sin6_port), scope: raw.sin6_scope_id)
      case AF_UNIX:
        let path = bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix(Self.maximumPathLength).prefix { $0 != 0 }
        return .unix(String(decoding: path, as: UTF8.self))
      default:
        return nil
      }
    }
    guard let address else { return nil }
    self = address
  }
}
