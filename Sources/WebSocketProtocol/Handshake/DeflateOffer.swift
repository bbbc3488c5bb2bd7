import HTTPProtocol

/// An offer of permessage-deflate (RFC 7692 §7.1), as a client makes it; a server's answer has the same form.
package struct DeflateOffer: Equatable, Sendable {
  /// What is said about the window with which the client compresses (RFC 7692 §7.1.2.2).
  package enum ClientWindow: Equatable, Sendable {
    /// The client cannot be told a window.
    case unsaid
    /// The client takes any window that it is told.
    case any
    /// The client takes windows of at most so many bits, 8 to 15.
    case atMost(Int)
  }

  /// The extension's token (RFC 7692 §7).
  package static let name = "permessage-deflate"

  /// The server is to compress each message by itself (RFC 7692 §7.1.1.1).
  package var serverForgets: Bool
  /// The client compresses each message by itself (RFC 7692 §7.1.1.2).
  package var clientForgets: Bool
  /// The largest window with which the server may compress, 8 to 15 bits (RFC 7692 §7.1.2.1).
  package var serverWindowBits: Int?
  /// The window with which the client compresses.
  package var clientWindow: ClientWindow

  /// Makes an offer; by default that of browsers.
  package init(serverForgets: Bool = false, clientForgets: Bool = false, serverWindowBits: Int? = nil, clientWindow: ClientWindow = .any) {
    self.serverForgets = serverForgets
    self.clientForgets = clientForgets
    self.serverWindowBits = serverWindowBits
    self.clientWindow = clientWindow
  }

  /// Reads an offer; nil where it is of another extension, or has a parameter that is unknown, doubled or out of its range, which declines
  /// this offer alone (RFC 7692 §7.1).
  package init?(_ offer: ExtensionOffer) {
    guard offer.name == Self.name else { return nil }
    self.init(clientWindow: .unsaid)
    for parameter in offer.parameters {
      guard take(parameter) else { return nil }
    }
  }

  /// There are four parameters, each allowed once: a fifth is never looked at.
  private mutating func take(_ parameter: ExtensionOffer.Parameter) -> Bool {
    switch (parameter.name, parameter.value) {
    case ("server_no_context_takeover", nil) where !serverForgets: serverForgets = true
    case ("client_no_context_takeover", nil) where !clientForgets: clientForgets = true
    case ("server_max_window_bits", let value?) where serverWindowBits == nil:
      guard let bits = Self.windowBits(value) else { return false }
      serverWindowBits = bits
    case ("client_max_window_bits", nil) where clientWindow == .unsaid: clientWindow = .any
    case ("client_max_window_bits", let value?) where clientWindow == .unsaid:
      guard let bits = Self.windowBits(value) else { return false }
      clientWindow = .atMost(bits)
    default: return false
    }
    return true
  }

  /// A number from 8 to 15 as RFC 7692 §7.1.2 writes it: without zeros in front.
  private static func windowBits(_ text: String) -> Int? { (8...15).first { "\($0)" == text } }

  /// The offer, or answer, as an element of `Sec-WebSocket-Extensions`.
  package var text: String {
    var text = Self.name
    if serverForgets { text += "; server_no_context_takeover" }
    if clientForgets { text += "; client_no_context_takeover" }
    if let serverWindowBits { text += "; server_max_window_bits=\(serverWindowBits)" }
    switch clientWindow {
    case .unsaid: break
    case .any: text += "; client_max_window_bits"
    case .atMost(let bits): text += "; client_max_window_bits=\(bits)"
    }
    return text
  }
}
