import FuzzSupport
import Glibc

@testable import Configuration
@testable import Transport

/// Reads addresses, networks and ports as the configuration and the sockets do: they agree, and with the system.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let texts = FuzzInput(start, count).parts(at: 10, most: 3).map { String(decoding: $0, as: UTF8.self) }
  for text in texts {
    checkAddress(text)
    checkNetwork(text, texts)
    checkSocketAddress(text)
  }
  return 0
}

private func checkAddress(_ text: String) {
  let ipv4 = IPv4Address(text)
  requireEqual(ipv4 != nil, AddressText.isIPv4(text), "an IPv4 address for configuration and sockets")
  if let ipv4 { requireEqual(Array(ipv4.description.utf8), Array(text.utf8), "an IPv4 address has one spelling") }
  let ipv6 = IPv6Address(text)
  requireEqual(ipv6 != nil, AddressText.isIPv6(text), "an IPv6 address for configuration and sockets")
  guard let ipv6 else { return }
  requireEqual(IPv6Address(ipv6.description), ipv6, "written and read again")
  requireEqual(IPv6Address(ipv6.raw), ipv6, "to the system and back")
  requireEqual(ipv6.isLoopback, AddressText.isIPv6Loopback(text), "loopback for configuration and sockets")
}

private func checkNetwork(_ text: String, _ others: [String]) {
  let network = Network(text)
  requireEqual(network != nil, AddressText.isNetwork(text), "a network for configuration and sockets")
  guard let network, let slash = (text + "/").firstIndex(of: "/") else { return }
  let base = String(text[..<slash])
  var first = required(bits(base), "a network is an address and a length")
  if text.contains("/") {
    let length = required(Int(text[text.index(after: slash)...]), "a length is a number")
    first.removeLast(base.contains(":") ? 128 - length : 32 - length)
  }
  let isIPv4 = first.starts(with: mapped)
  for other in [base] + others {
    guard let all = bits(other) else { continue }
    // A network of IPv6 has no IPv4 addresses in it, however short it is.
    let isInside = all.starts(with: first) && all.starts(with: mapped) == isIPv4
    let address: SocketAddress =
      if let ipv4 = IPv4Address(other) { .ipv4(ipv4, port: 1) } else {
        SocketAddress(required(IPv6Address(other), "an address"), port: 1, scope: 0)
      }
    requireEqual(network.contains(address), isInside, "\(other) in \(text)")
  }
}

/// The bits before an IPv4 address that is written as an IPv6 one.
private let mapped = Array(repeating: false, count: 80) + Array(repeating: true, count: 16)

/// The 128 bits of an address.
private func bits(_ text: String) -> [Bool]? {
  if let address = IPv4Address(text) { return mapped + bits(address.bits) }
  return IPv6Address(text).map { bits($0.high) + bits($0.low) }
}

private func bits(_ number: some FixedWidthInteger) -> [Bool] {
  (0..<number.bitWidth).map { number >> (number.bitWidth - 1 - $0) & 1 == 1 }
}

private func checkSocketAddress(_ text: String) {
  let listen = ListenAddress(text)
  if let listen { require(!(listen.isLoopback && listen.isReachableFromOutside), "loopback is not reached from outside") }
  guard let address = try? SocketAddress.parse(text) else { return }
  requireEqual(try? SocketAddress.parse(address.description), address, "written and read again")
  switch (address, listen) {
  case (.unix(let path), .unix(let other)?): requireEqual(path, other, "a path for configuration and sockets")
  case (_, .tcp(_, let port)?): requireEqual(address.port, port, "a port for configuration and sockets")
  case (_, nil): require(text.hasPrefix(":") || text.contains("%"), "the configuration takes what sockets do: \(text)")
  case (_, .unix?): require(false, "a path is none for sockets")
  }
  if case .tcp(let host, _)? = listen, host != "localhost", host.first?.isLetter != true || host.contains(":") {
    let isLoopback = listen?.isLoopback == true || mapsToLoopback(host)
    requireEqual(address.isLoopback, isLoopback, "loopback for configuration and sockets")
  }
}

/// The configuration does not know IPv4 addresses written as IPv6 ones; sockets listen on them as on what they mean.
private func mapsToLoopback(_ host: String) -> Bool { IPv6Address(host)?.mapped?.isLoopback == true }
