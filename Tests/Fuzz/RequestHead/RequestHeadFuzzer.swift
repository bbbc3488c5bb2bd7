import FuzzSupport
import HTTPProtocol

/// Reads a request head whole, byte by byte and in pieces: one outcome, within the limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let bytes = Array(input.bytes)
  for limits in [HTTPLimits(), HTTPLimits(maxHeadBytes: 96, maxTargetBytes: 12, maxFields: 3)] {
    let outcome = parse(bytes, [bytes.count], limits)
    requireEqual(parse(bytes, input.pieces(of: bytes.count), limits), outcome, "in pieces and whole")
    requireEqual(parse(bytes, Array(stride(from: 1, through: bytes.count, by: 1)), limits), outcome, "byte by byte and whole")
    switch outcome {
    case .incomplete: require(bytes.count <= limits.maxHeadBytes, "a head beyond the limit is refused")
    case .violation(let violation):
      require((400...505).contains(violation.status) && !violation.sentence.isEmpty, "a violation has an answer")
    case .head(let head, let consumed): check(head, consumed, bytes, limits)
    }
  }
  return 0
}

private func parse(_ bytes: [UInt8], _ ends: [Int], _ limits: HTTPLimits) -> RequestHeadParser.Outcome {
  var parser = RequestHeadParser(limits: limits)
  return bytes.withUnsafeBytes { bytes in
    for end in ends {
      let outcome = parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      guard outcome == .incomplete else {
        if case .violation = outcome { requireEqual(parser.parse(bytes), outcome, "a violation stays") }
        return outcome
      }
    }
    return .incomplete
  }
}

private func check(_ head: RequestHead, _ consumed: Int, _ bytes: [UInt8], _ limits: HTTPLimits) {
  require(consumed <= min(bytes.count, limits.maxHeadBytes), "the head lies in the bytes and the limit")
  require(bytes[..<consumed].suffix(4).elementsEqual("\r\n\r\n".utf8), "a head ends with an empty line")
  require(head.fields.count <= limits.maxFields && head.target.utf8.count <= limits.maxTargetBytes, "parts keep their limits")
  require(head.version.major == 1 && !head.method.isEmpty && !head.path.isEmpty, "a head has a version, a method and a path")
  require(!head.host.isEmpty || head.version.minor == 0 || head["host"] == "", "HTTP/1.1 names a host")
  require((head.method + head.target).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "method and target are visible ASCII")
  for field in head.fields {
    require(ASCII.isToken(field.name.utf8), "a name is a token")
    require(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }, "a value has no control characters")
  }
  let lengths = head.values(of: "content-length")
  switch head.body {
  case .none: require(Set(lengths.map { Int($0) }).isSubset(of: [0]), "no body means no length")
  case .length(let length): require(length > 0 && lengths.allSatisfy { Int($0) == length }, "the length is the one that was sent")
  case .chunked: require(lengths.isEmpty && head["transfer-encoding"] != nil, "chunks exclude a length")
  }
  // What the head says, written again, says the same. Bytes that were no UTF-8 have become three each.
  var again = Array("\(head.method) \(head.target) HTTP/1.\(head.version.minor)\r\n".utf8)
  for field in head.fields { field.append(to: &again) }
  again += [13, 10]
  let wide = HTTPLimits(maxHeadBytes: 3 * limits.maxHeadBytes, maxTargetBytes: limits.maxTargetBytes, maxFields: limits.maxFields)
  requireEqual(parse(again, [again.count], wide), .head(head, consumed: again.count), "written and read again")
}
