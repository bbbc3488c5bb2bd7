import HTTPProtocol

/// What a server grants to clients that offer compression.
package struct DeflatePolicy: Hashable, Sendable {
  /// Whether messages may refer to those before them (context takeover), which costs memory on each connection.
  package var keepsContexts: Bool

  /// Makes a policy; by default nothing is kept between two messages.
  package init(keepsContexts: Bool = false) { self.keepsContexts = keepsContexts }

  /// The largest window of a kept context, in bits: with it a context of each direction costs about 50 KB, with 15 bits 300.
  package static let keptWindowBits = 12

  /// The window with which messages are compressed where the client sets no other, in bits.
  package var windowBits: Int { keepsContexts ? Self.keptWindowBits : 15 }
}

/// What both sides agreed on for permessage-deflate (RFC 7692 §7.1).
package struct DeflateAgreement: Equatable, Sendable {
  /// Whether the server's messages refer to those before them.
  package let serverKeepsContext: Bool
  /// Whether the client's messages refer to those before them.
  package let clientKeepsContext: Bool
  /// The window of the server's messages, 8 to 15 bits.
  package let serverWindowBits: Int
  /// The window of the client's messages, 8 to 15 bits.
  package let clientWindowBits: Int

  /// Makes an agreement from its parts.
  package init(serverKeepsContext: Bool, clientKeepsContext: Bool, serverWindowBits: Int, clientWindowBits: Int) {
    self.serverKeepsContext = serverKeepsContext
    self.clientKeepsContext = clientKeepsContext
    self.serverWindowBits = serverWindowBits
    self.clientWindowBits = clientWindowBits
  }

  // MARK: - Of the server

  /// Agrees to the first offer that can be honoured; returns the agreement and the value of the answer's field.
  ///
  /// A client that cannot be told a window does not keep a context: it would be one of 32 KiB.
  package static func accepting(_ offers: [ExtensionOffer], by policy: DeflatePolicy) -> (agreement: DeflateAgreement, answer: String)? {
    for offer in offers {
      guard let offer = DeflateOffer(offer) else { continue }
      let answer = answer(to: offer, policy)
      return (DeflateAgreement(answer, to: offer), answer.text)
    }
    return nil
  }

  private static func answer(to offer: DeflateOffer, _ policy: DeflatePolicy) -> DeflateOffer {
    var answer = DeflateOffer(
      serverForgets: !policy.keepsContexts || offer.serverForgets, clientForgets: !policy.keepsContexts || offer.clientForgets,
      serverWindowBits: offer.serverWindowBits, clientWindow: .unsaid)
    if !answer.serverForgets { answer.serverWindowBits = min(offer.serverWindowBits ?? 15, DeflatePolicy.keptWindowBits) }
    if !answer.clientForgets {
      switch offer.clientWindow {
      case .unsaid: answer.clientForgets = true
      case .any: answer.clientWindow = .atMost(DeflatePolicy.keptWindowBits)
      case .atMost(let bits): answer.clientWindow = .atMost(min(bits, DeflatePolicy.keptWindowBits))
      }
    }
    return answer
  }

  // MARK: - Of the client

  /// Checks a server's answer to an offer; nil where it does not fit, which fails the connection (RFC 7692 §7.1).
  package init?(answer extensions: [ExtensionOffer], to offer: DeflateOffer) {
    guard extensions.count == 1, let answer = extensions.first.flatMap(DeflateOffer.init) else { return nil }
    if offer.serverForgets, !answer.serverForgets { return nil }
    if let most = offer.serverWindowBits {
      guard let bits = answer.serverWindowBits, bits <= most else { return nil }
    }
    switch (answer.clientWindow, offer.clientWindow) {
    case (.unsaid, _), (.atMost, .any): break
    case (.atMost(let bits), .atMost(let most)) where bits <= most: break
    case (.any, _), (.atMost, .unsaid), (.atMost, .atMost): return nil
    }
    self.init(answer, to: offer)
  }

  /// What a client offered about itself holds where the answer says nothing (RFC 7692 §7.1.1.2, §7.1.2.2).
  private init(_ answer: DeflateOffer, to offer: DeflateOffer) {
    let clientBits =
      switch (answer.clientWindow, offer.clientWindow) {
      case (.atMost(let bits), _), (_, .atMost(let bits)): bits
      case (.any, _), (.unsaid, _): 15
      }
    self.init(
      serverKeepsContext: !answer.serverForgets, clientKeepsContext: !answer.clientForgets && !offer.clientForgets,
      serverWindowBits: answer.serverWindowBits ?? 15, clientWindowBits: clientBits)
  }
}
