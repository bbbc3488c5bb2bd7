import Crypto
import FuzzSupport
import HTTPProtocol
import WebSocketProtocol

/// Reads a response head whole and in pieces, and takes it for the answer to a client's handshake.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let bytes = Array(input.bytes)
  for limits in [HTTPLimits(), HTTPLimits(maxHeadBytes: 64, maxFields: 2)] {
    let outcome = parse(bytes, [bytes.count], limits)
    requireEqual(parse(bytes, input.pieces(of: bytes.count), limits), outcome, "in pieces and whole")
    requireEqual(parse(bytes, Array(stride(from: 1, through: bytes.count, by: 1)), limits), outcome, "byte by byte and whole")
    switch outcome {
    case .incomplete: require(bytes.count <= limits.maxHeadBytes, "a head beyond the limit is refused")
    case .violation: break
    case .head(let head, let consumed):
      require(consumed <= min(bytes.count, limits.maxHeadBytes), "the head lies in the bytes and the limit")
      require((100...999).contains(head.status) && head.fields.count <= limits.maxFields, "status and fields keep their bounds")
      let again = head.bytes()
      let wide = HTTPLimits(maxHeadBytes: .max)
      requireEqual(parse(again, [again.count], wide), .head(head, consumed: again.count), "written and read again")
      verify(head)
    }
  }
  return 0
}

private func parse(_ bytes: [UInt8], _ ends: [Int], _ limits: HTTPLimits) -> ResponseHeadParser.Outcome {
  var parser = ResponseHeadParser(limits: limits)
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

/// A client that sent 16 zero bytes as its key.
private func verify(_ head: ResponseHead) {
  let offered = ["parley.v1", "chat"]
  let narrow = DeflateOffer(serverForgets: true, clientForgets: true, serverWindowBits: 10, clientWindow: .atMost(12))
  for offer in [nil, DeflateOffer(), narrow] {
    let result = Result {
      try ClientHandshake.verify(head, key: Array(repeating: 0, count: 16), subprotocols: offered, deflate: offer, sha1: SHA1.digest)
    }
    guard case .success(let agreement) = result else { continue }
    require(head.status == 101 && head["sec-websocket-accept"] == "ICX+Yqv66kxgM0FcWaLWlFLwTAI=", "only the right answer is taken")
    require(agreement.subprotocol.map(offered.contains) ?? true, "the sub-protocol was offered")
    requireEqual(agreement.deflate != nil, head["sec-websocket-extensions"] != nil, "compression is agreed on where it is answered")
    if let deflate = agreement.deflate { check(deflate, required(offer, "compression was offered")) }
  }
}

private func check(_ deflate: DeflateAgreement, _ offer: DeflateOffer) {
  require(!offer.serverForgets || !deflate.serverKeepsContext, "a server that was to forget forgets")
  require(!offer.clientForgets || !deflate.clientKeepsContext, "a client that said so forgets")
  require((8...(offer.serverWindowBits ?? 15)).contains(deflate.serverWindowBits), "the server's window is one that was offered")
  require((8...(offer.clientWindow == .any ? 15 : 12)).contains(deflate.clientWindowBits), "so is the client's")
}
