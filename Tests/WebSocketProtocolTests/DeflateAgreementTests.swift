import TestSupport
import Testing
import WebSocketProtocol

@Suite struct DeflateAgreementTests {
  private static let forgetting = "; server_no_context_takeover; client_no_context_takeover"
  /// What a browser says.
  private static let browser = "permessage-deflate; client_max_window_bits"

  private func answer(to field: String, keepsContexts: Bool) -> String? {
    DeflateAgreement.accepting(ExtensionOffer.list(field), by: DeflatePolicy(keepsContexts: keepsContexts))?.answer
  }

  @Test func `the first offer that can be honoured is answered`() {
    // What is offered, and the answer without and with contexts, behind the name; nil: declined.
    let server = "; server_max_window_bits="
    let client = "; client_max_window_bits="
    let noServer = "; server_no_context_takeover"
    let noClient = "; client_no_context_takeover"
    let rows: [(String, forgetting: String?, keeping: String?)] = [
      (Self.browser, "", server + "12" + client + "12"),
      ("permessage-deflate", "", noClient + server + "12"), (Self.browser + noServer, "", noServer + client + "12"),
      (Self.browser + noClient, "", noClient + server + "12"), (Self.browser + noServer + noClient, "", noServer + noClient),
      (Self.browser + "=9", "", server + "12" + client + "9"), (Self.browser + "=15", "", server + "12" + client + "12"),
      (Self.browser + server + "9", server + "9", server + "9" + client + "12"),
      (Self.browser + server + "8", server + "8", server + "8" + client + "12"),
      (Self.browser + server + "15", server + "15", server + "12" + client + "12"),
      (Self.browser + noServer + server + "15", server + "15", noServer + server + "15" + client + "12"),
      ("foo, permessage-deflate; x, " + Self.browser + ", permessage-deflate", "", server + "12" + client + "12"),
      (
        "permessage-deflate; server_max_window_bits=7, permessage-deflate; server_max_window_bits=10", server + "10",
        noClient + server + "10"
      ),
      ("", nil, nil), ("foo", nil, nil), ("constructor", nil, nil), ("permessage-deflate; client_max_window_bits=99", nil, nil),
      (",;constructor", nil, nil), ("=", nil, nil), ("=\"", nil, nil), (Self.browser + ", é", nil, nil),
      (Array(repeating: "permessage-deflate; server_max_window_bits=1", count: 1_000).joined(separator: ","), nil, nil),
      (Array(repeating: "permessage-deflate; x", count: 999).joined(separator: ",") + ", permessage-deflate", "", noClient + server + "12"),
    ]
    for row in rows {
      let name = String(row.0.prefix(80))
      expectEqual(answer(to: row.0, keepsContexts: false), row.forgetting.map { "permessage-deflate" + Self.forgetting + $0 }, name)
      expectEqual(answer(to: row.0, keepsContexts: true), row.keeping.map { "permessage-deflate" + $0 }, "\(name), keeping")
    }
  }

  @Test func `both sides understand the same by an answer`() throws {
    let windows: [DeflateOffer.ClientWindow] = [.unsaid, .any, .atMost(8), .atMost(10), .atMost(15)]
    var agreements: [DeflateAgreement] = []
    for keepsContexts in [false, true] {
      for serverForgets in [false, true] {
        for clientForgets in [false, true] {
          for bits in [nil, 8, 11, 15] {
            for window in windows {
              let offer = DeflateOffer(
                serverForgets: serverForgets, clientForgets: clientForgets, serverWindowBits: bits, clientWindow: window)
              let policy = DeflatePolicy(keepsContexts: keepsContexts)
              let accepted = try #require(DeflateAgreement.accepting(ExtensionOffer.list(offer.text), by: policy))
              let understood = DeflateAgreement(answer: ExtensionOffer.list(accepted.answer), to: offer)
              expectEqual(understood, accepted.agreement, "\(offer.text) -> \(accepted.answer)")
              agreements.append(accepted.agreement)
              expect(accepted.agreement.serverWindowBits <= bits ?? 15, "\(offer.text) -> \(accepted.answer)")
            }
          }
        }
      }
    }
    for agreement in agreements {
      expect(!agreement.serverKeepsContext || agreement.serverWindowBits <= 12, "\(agreement)")
      expect(!agreement.clientKeepsContext || agreement.clientWindowBits <= 12, "\(agreement)")
    }
    expectEqual(
      agreements.first, DeflateAgreement(serverKeepsContext: false, clientKeepsContext: false, serverWindowBits: 15, clientWindowBits: 15))
    expectEqual([DeflatePolicy().windowBits, DeflatePolicy(keepsContexts: true).windowBits], [15, 12])
  }

  @Test func `an answer that does not fit the offer is refused`() {
    let none = DeflateOffer(clientWindow: .unsaid)
    let rows: [(String, DeflateOffer, DeflateAgreement?)] = [
      ("permessage-deflate", none, .init(serverKeepsContext: true, clientKeepsContext: true, serverWindowBits: 15, clientWindowBits: 15)),
      (
        "permessage-deflate; server_max_window_bits=9; server_no_context_takeover; client_no_context_takeover", none,
        .init(serverKeepsContext: false, clientKeepsContext: false, serverWindowBits: 9, clientWindowBits: 15)
      ),
      (
        "permessage-deflate", DeflateOffer(clientForgets: true, clientWindow: .atMost(10)),
        .init(serverKeepsContext: true, clientKeepsContext: false, serverWindowBits: 15, clientWindowBits: 10)
      ),
      ("permessage-deflate; client_max_window_bits=10", none, nil), ("permessage-deflate; client_max_window_bits", none, nil),
      ("permessage-deflate; client_max_window_bits", DeflateOffer(), nil),
      ("permessage-deflate; client_max_window_bits=11", DeflateOffer(clientWindow: .atMost(10)), nil),
      ("permessage-deflate", DeflateOffer(serverForgets: true), nil), ("permessage-deflate", DeflateOffer(serverWindowBits: 10), nil),
      ("permessage-deflate; server_max_window_bits=11", DeflateOffer(serverWindowBits: 10), nil),
      ("permessage-deflate; server_max_window_bits=16", none, nil), ("permessage-deflate; x", none, nil),
      ("permessage-deflate, permessage-deflate", none, nil), ("foo", none, nil), ("", none, nil), ("=\"", none, nil),
    ]
    for (answer, offer, agreement) in rows {
      expectEqual(DeflateAgreement(answer: ExtensionOffer.list(answer), to: offer), agreement, "\(answer) to \(offer.text)")
    }
  }
}
