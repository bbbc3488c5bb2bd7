import Glibc

/// An IPv4 address.
package struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
  /// The address as a number: 127.0.0.1 is 0x7F000001.
  package let bits: UInt32

  /// An address given as a number.
  package init(bits: UInt32) { self.bits = bits }

  /// An address given by its four bytes.
  package init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    bits = UInt32(first) << 24 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
  }

  /// Reads four decimal numbers with points between; nil for anything else.
  package init?(_ text: String) {
    var address = in_addr()
    // The library would read up to a NUL and take no notice of what follows.
    guard !text.utf8.contains(0), inet_pton(AF_INET, text, &address) == 1 else { return nil }
    bits = UInt32(bigEndian: address.s_addr)
  }

  /// Whether it is in 127.0.0.0/8.
  package var isLoopback: Bool { bits >> 24 == 127 }

  package var description: String {
    "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
  }
}

/// An IPv6 address, without its scope.
package struct IPv6Address: Hashable, Sendable, CustomStringConvertible {
  /// The first 64 bits: what a site is usually given as a whole.
  package let high: UInt64
  /// The last 64 bits.
  package let low: UInt64

  /// An address given by its two halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the text form of RFC 4291 §2.2, without brackets and scope; nil for anything else.
  package init?(_ text: String) {
    var address = in6_addr()
    guard !text.utf8.contains(0), inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    self.init(address)
  }

  init(_ address: in6_addr) {
    let halves = withUnsafeBytes(of: address) { ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self)) }
    self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
  }

  /// Whether it is ::1.
  package var isLoopback: Bool { high == 0 && low == 1 }

  /// The IPv4 address in an IPv4-mapped one, ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
  package var mapped: IPv4Address? {
    high == 0 && low >> 32 == 0xFFFF ? IPv4Address(bits: UInt32(truncatingIfNeeded: low)) : nil
  }

  /// The form of the C library.
  var raw: in6_addr {
    var address = in6_addr()
    withUnsafeMutableBytes(of: &address) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return address
  }

  package var description: String {
    var address = raw
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return "::" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "::" }
  }
}
