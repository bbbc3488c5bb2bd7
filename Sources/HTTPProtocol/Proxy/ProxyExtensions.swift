/// The TLVs of a header of version 2 (`proxy-protocol.txt` §2.2): those that say something here are read, the others passed over.
struct ProxyExtensions: Equatable {
  /// Whether the client speaks TLS to the proxy (`PP2_TYPE_SSL`); nil where that is not said.
  private(set) var isSecure: Bool?

  private static let checksum: UInt8 = 0x03
  private static let tls: UInt8 = 0x20

  /// Walks over the TLVs.
  ///
  /// One that reaches beyond the announced length is refused, as HAProxy does: who counts wrongly there may have counted the addresses
  /// wrongly. A checksum is verified where there is one.
  ///
  /// - Parameters:
  ///   - header: The whole header.
  ///   - start: Where the TLVs begin.
  init(_ header: UnsafeRawBufferPointer, from start: Int) throws(ProxyHeaderViolation) {
    var rest = header[start...]
    while !rest.isEmpty {
      guard rest.count >= 3 else { throw .badExtension }
      let type = rest[rest.startIndex]
      let length = Int(rest[rest.startIndex + 1]) << 8 | Int(rest[rest.startIndex + 2])
      guard rest.count - 3 >= length else { throw .badExtension }
      let value = rest.dropFirst(3).prefix(length)
      try take(type, value, of: header)
      rest = rest[value.endIndex...]
    }
  }

  private mutating func take(
    _ type: UInt8, _ value: Slice<UnsafeRawBufferPointer>, of header: UnsafeRawBufferPointer
  ) throws(ProxyHeaderViolation) {
    switch type {
    case Self.checksum:
      guard value.count == 4 else { throw .badExtension }
      let told = value.reduce(0) { $0 << 8 | UInt32($1) }
      guard Self.crc32c(header, zeroing: value.startIndex..<value.endIndex) == told else { throw .badChecksum }
    case Self.tls:
      // The client's flags, then four bytes of what became of its certificate.
      guard value.count >= 5, let flags = value.first else { throw .badExtension }
      isSecure = flags & 0x01 != 0
    default: break
    }
  }

  /// CRC-32C of a header, in which the checksum itself counts as zeros.
  ///
  /// Bit by bit, without a table: a header comes once a connection and is short.
  static func crc32c(_ bytes: UnsafeRawBufferPointer, zeroing range: Range<Int>) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for (index, byte) in bytes.enumerated() {
      remainder ^= UInt32(range.contains(index) ? 0 : byte)
      for _ in 0..<8 { remainder = remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0x82F6_3B78 }
    }
    return ~remainder
  }
}
