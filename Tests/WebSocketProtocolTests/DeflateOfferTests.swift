import TestSupport
import Testing
import WebSocketProtocol

@Suite struct DeflateOfferTests {
  private func read(_ parameters: String) -> DeflateOffer? {
    ExtensionOffer.list("permessage-deflate" + (parameters.isEmpty ? "" : ";" + parameters)).first.flatMap(DeflateOffer.init)
  }

  @Test func `every parameter is read, and written as it was read`() {
    let rows: [(String, DeflateOffer)] = [
      ("", DeflateOffer(clientWindow: .unsaid)), ("client_max_window_bits", DeflateOffer()),
      ("server_no_context_takeover", DeflateOffer(serverForgets: true, clientWindow: .unsaid)),
      ("client_no_context_takeover", DeflateOffer(clientForgets: true, clientWindow: .unsaid)),
      ("client_max_window_bits=8", DeflateOffer(clientWindow: .atMost(8))),
      ("client_max_window_bits=15", DeflateOffer(clientWindow: .atMost(15))),
      ("server_max_window_bits=8", DeflateOffer(serverWindowBits: 8, clientWindow: .unsaid)),
      ("server_max_window_bits=15", DeflateOffer(serverWindowBits: 15, clientWindow: .unsaid)),
      ("server_max_window_bits = \"1\\0\"", DeflateOffer(serverWindowBits: 10, clientWindow: .unsaid)),
      (
        "client_max_window_bits=9;server_max_window_bits=\"11\" ; client_no_context_takeover; server_no_context_takeover",
        DeflateOffer(serverForgets: true, clientForgets: true, serverWindowBits: 11, clientWindow: .atMost(9))
      ),
    ]
    for (parameters, offer) in rows {
      expectEqual(read(parameters), offer, parameters)
      expectEqual(ExtensionOffer.list(offer.text).first.flatMap(DeflateOffer.init), offer, offer.text)
    }
  }

  @Test func `an offer with a parameter that is unknown, doubled or out of its range is none`() {
    let numbers = [
      "0", "7", "16", "99", "256", "-1", "+9", "08", "8.0", "0x9", "a", "9a", "18446744073709551624", "constructor", "\"\\-1\"",
      "__proto__",
    ]
    let rows =
      numbers.flatMap { ["server_max_window_bits=\($0)", "client_max_window_bits=\($0)"] } + [
        "server_max_window_bits", "server_no_context_takeover=1", "client_no_context_takeover=true", "server_no_context_takeover=10",
        "client_no_context_takeover;client_no_context_takeover", "server_no_context_takeover;server_no_context_takeover",
        "server_max_window_bits=9;server_max_window_bits=9", "client_max_window_bits;client_max_window_bits",
        "client_max_window_bits=9;client_max_window_bits=9", "client_max_window_bits;client_max_window_bits=9",
        "client_max_window_bits=9;client_max_window_bits", "x", "x=1", "constructor", "Server_No_Context_Takeover", "mem_level=1",
        Array(repeating: "client_no_context_takeover", count: 1_000).joined(separator: ";"),
      ]
    for parameters in rows { expectEqual(read(parameters), nil, String(parameters.prefix(60))) }
    // What is no token is no offer at all.
    for value in ["", "٩", "\"", "\"\"", "\"9", "\"8 \"", "9 9", "9\u{0}"] {
      expectEqual(read("server_max_window_bits=\(value)"), nil, value)
    }
    for name in ["constructor", "permessage-deflat", "permessage-deflate2", "Permessage-Deflate", "x-webkit-deflate-frame"] {
      expectEqual(DeflateOffer(ExtensionOffer(name)), nil, name)
    }
  }
}
