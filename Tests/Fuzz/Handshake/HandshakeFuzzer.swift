import Crypto
import FuzzSupport
import HTTPProtocol
import Transport
import WebSocketProtocol

@testable import Gateway

/// Decides on an upgrade: headers, sub-protocols, extension offers, origin, host and token.
///
/// The first byte says how much of a good handshake stands before the fields of the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let head: [UInt8]
  switch input.byte() {
  case UInt8(ascii: "r"): head = Array(input.bytes)
  case UInt8(ascii: "h"): head = handshake + input.bytes + "\r\n\r\n".utf8
  case UInt8(ascii: "e"):
    checkOffers(input.text)
    return 0
  default: head = handshake + Array("Host: localhost:8080\r\n".utf8) + input.bytes + "\r\n\r\n".utf8
  }
  var parser = RequestHeadParser()
  guard case .head(let request, _) = head.withUnsafeBytes({ parser.parse($0) }) else { return 0 }
  for way in Way.all {
    guard let route = way.route(of: request) else { continue }
    for isLoopbackOnly in [false, true] {
      let origins = OriginPolicy(isLoopbackOnly: isLoopbackOnly, allowed: way.allowed)
      let policy = UpgradeDecision.Policy(
        origins: origins, allowsQueryToken: isLoopbackOnly, isDraining: false, compression: way.compression)
      check(request, route, policy)
    }
  }
  request.values(of: "sec-websocket-extensions").forEach(checkOffers)
  return 0
}

private let handshake = Array(
  """
  GET /ws HTTP/1.1\r
  Upgrade: websocket\r
  Connection: keep-alive, Upgrade\r
  Sec-WebSocket-Version: 13\r
  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n
  """.utf8)

/// How a request comes, and which pages are let in.
private struct Way {
  let peer: SocketAddress
  let isTrusted: Bool
  let isEncrypted: Bool
  let allowed: Set<String>
  let compression: DeflatePolicy?

  static let all = [
    Way(peer: .ipv4(IPv4Address(127, 0, 0, 1), port: 9), isTrusted: false, isEncrypted: false, allowed: [], compression: nil),
    Way(
      peer: .ipv4(IPv4Address(203, 0, 113, 5), port: 9), isTrusted: false, isEncrypted: true, allowed: ["https://chat.example", "null"],
      compression: DeflatePolicy()),
    Way(
      peer: .ipv4(IPv4Address(10, 0, 0, 1), port: 9), isTrusted: true, isEncrypted: false,
      allowed: ["https://chat.example", "http://chat.example:8080"], compression: DeflatePolicy(keepsContexts: true)),
  ]

  /// The way as the gateway sees it; nil where the fields of a trusted proxy contradict each other.
  func route(of request: RequestHead) -> RequestRoute? {
    let proxies = TrustedProxies(["10.0.0.0/8", "unix"])
    guard let route = try? RequestRoute(request, by: ClientPath(peer: peer), trusting: proxies, isEncrypted: isEncrypted) else {
      require(isTrusted, "only a trusted proxy is read")
      return nil
    }
    if !isTrusted {
      require(route.client == peer && route.host == request.host && route.isSecure == isEncrypted, "others are not believed")
      require(!route.isVouchedFor && route.isForwarded == ForwardingFields.arePresent(in: request), "but seen")
    }
    require(!proxies.contains(route.client) || route.client == peer || route.isForwarded, "a proxy is a client only where nobody is known")
    return route
  }
}

private func check(_ request: RequestHead, _ route: RequestRoute, _ policy: UpgradeDecision.Policy) {
  switch UpgradeDecision(request, by: route, policy) {
  case .refuse(let response):
    require((400...505).contains(response.status) && response.body.count > 1, "a refusal says why")
  case .letIn(let acceptance):
    checkAcceptance(request, route, acceptance, policy)
    require(request.values(of: "authorization").isEmpty, "a token is not read over")
  case .authenticate(let token, let entry):
    switch entry {
    case .header(let acceptance):
      checkAcceptance(request, route, acceptance, policy)
      let isInField = request.values(of: "authorization").contains { $0.hasSuffix(token) }
      require(isInField || policy.allowsQueryToken && request.query?.contains("token=" + token) == true, "the token stands where it may")
    case .subprotocol(let acceptance):
      checkAcceptance(request, route, acceptance, policy)
      require(acceptance.offeredSubprotocols.contains("bearer." + token), "the token was offered")
    case .badToken: require(false, "nobody looked at the token yet")
    }
  }
}

private func checkAcceptance(
  _ request: RequestHead, _ route: RequestRoute, _ acceptance: ServerHandshake.Acceptance, _ policy: UpgradeDecision.Policy
) {
  checkOrigin(request, route, policy.origins)
  let offered = acceptance.offeredSubprotocols
  require(Set(offered).count == offered.count && offered.allSatisfy { ASCII.isToken($0.utf8) }, "sub-protocols are different tokens")
  require(acceptance.subprotocol.map { $0 == "parley.v1" && offered.contains($0) } ?? !offered.contains("parley.v1"), "ours is chosen")
  // The client's side of this house takes the answer.
  let bytes = acceptance.response.bytes()
  var parser = ResponseHeadParser()
  guard case .head(let answer, bytes.count) = bytes.withUnsafeBytes({ parser.parse($0) }) else {
    return require(false, "an answer is whole")
  }
  let text = required(request["sec-websocket-key"], "there is a key")
  let key = required(Base64URL.decode(text.utf8.dropLast(2).map(urlSafe)), "a key is Base64")
  do {
    let offers = request["sec-websocket-extensions"].map(ExtensionOffer.list) ?? []
    let offer = offers.lazy.compactMap(DeflateOffer.init).first
    requireEqual(acceptance.deflate != nil, offer != nil && policy.compression != nil, "compression is agreed on where it is offered")
    let agreement = try ClientHandshake.verify(answer, key: key, subprotocols: offered, deflate: offer, sha1: SHA1.digest)
    requireEqual(agreement, .init(subprotocol: acceptance.subprotocol, deflate: acceptance.deflate), "the client agrees")
  } catch { require(false, "the client takes the answer: \(error)") }
}

private func urlSafe(_ byte: UInt8) -> UInt8 {
  byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
}

/// Who was let in came from nowhere or from an origin that is named letter for letter, and asked a host that is this machine's.
private func checkOrigin(_ request: RequestHead, _ route: RequestRoute, _ policy: OriginPolicy) {
  let origins = request.values(of: "origin")
  require(origins.count <= 1, "there is one origin")
  let named = policy.allowed.union([(route.isSecure ? "https://" : "http://") + route.host]).map { Array($0.utf8) }
  require(origins.allSatisfy { named.contains(Array($0.utf8)) }, "the origin is named")
  guard policy.isLoopbackOnly, !route.isVouchedFor else { return }
  var name = route.host.lowercased()
  if let end = name.lastIndex(where: { $0 == ":" || $0 == "]" }), name[end] == ":" { name = String(name[..<end]) }
  let isLocal = name == "localhost" || name == "[::1]" || IPv4Address(name)?.isLoopback == true
  require(isLocal || policy.allowed.contains { $0.hasSuffix("://" + route.host) }, "the host is this machine: \(route.host)")
}

/// Offers are tokens, and say the same when they are written again.
private func checkOffers(_ field: String) {
  let offers = ExtensionOffer.list(field)
  let again = offers.map { offer in
    ([offer.name] + offer.parameters.map { $0.name + ($0.value.map { "=\"\($0)\"" } ?? "") }).joined(separator: ";\t")
  }
  requireEqual(ExtensionOffer.list(again.joined(separator: " ,, ")), offers, "written and read again")
  for offer in offers {
    let words = [offer.name] + offer.parameters.flatMap { [$0.name, $0.value ?? $0.name] }
    require(words.allSatisfy { ASCII.isToken($0.utf8) }, "an offer is made of tokens")
  }
  for keepsContexts in [false, true] {
    guard let (agreement, answer) = DeflateAgreement.accepting(offers, by: DeflatePolicy(keepsContexts: keepsContexts)) else {
      require(offers.allSatisfy { DeflateOffer($0) == nil }, "what can be honoured is")
      continue
    }
    let offer = required(offers.lazy.compactMap(DeflateOffer.init).first, "there is an offer")
    requireEqual(DeflateOffer(required(ExtensionOffer.list(offer.text).first, "an offer")), offer, "an offer is written and read again")
    requireEqual(DeflateAgreement(answer: ExtensionOffer.list(answer), to: offer), agreement, "both sides agree on the same")
    require((8...15).contains(agreement.serverWindowBits) && (8...15).contains(agreement.clientWindowBits), "windows exist")
    require(keepsContexts || !agreement.serverKeepsContext && !agreement.clientKeepsContext, "nothing is kept unless it is wanted")
  }
}
