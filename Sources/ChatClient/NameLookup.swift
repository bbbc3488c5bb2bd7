import Glibc
import Transport

/// Finds the addresses of a host.
enum NameLookup {
  /// The addresses behind a name, best first; blocks for as long as the system's resolver does.
  static func addresses(of host: String, port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    hints.ai_family = AF_UNSPEC
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var entry = found
    while let current = entry {
      if let address = address(of: current.pointee, port: port) { addresses.append(address) }
      entry = current.pointee.ai_next
    }
    return addresses
  }

  private static func address(of entry: addrinfo, port: UInt16) -> SocketAddress? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let flags = CInt(NI_NUMERICHOST)
    guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, flags) == 0 else { return nil }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return literal(host, port: port)
  }

  /// The address that a text is by itself, without a look-up.
  static func literal(_ host: String, port: UInt16) -> SocketAddress? {
    let text = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    do throws(SocketAddressError) { return try SocketAddress.parse(text) } catch { return nil }
  }
}
