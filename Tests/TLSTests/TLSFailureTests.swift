import TestSupport
import Testing

@testable import TLS

@Test func `each way to fail has its name and its sentence`() throws {
  let server = try TLSContext.server()
  func state(after bytes: [UInt8]) throws -> TLSProgress.State {
    var end = TLSPair.End(session: try #require(TLSSession(server)))
    end.receive(bytes)
    return end.state
  }
  // A hello whose version is TLS 1.0, and one of TLS 1.2 whose one cipher has no forward secrecy.
  func hello(_ version: UInt8, _ cipher: [UInt8]) -> [UInt8] {
    [0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, version] + [UInt8](repeating: 9, count: 32) + [0, 0, 2] + cipher + [1, 0]
  }
  expectEqual(try state(after: hello(1, [0xC0, 0x13])), .failed(.noCommonVersion), "TLS 1.0")
  expectEqual(try state(after: hello(3, [0x00, 0x2F])), .failed(.noCommonCipher), "TLS_RSA_WITH_AES_128_CBC_SHA")
  let sentences: [(TLSFailure, String)] = [
    (.noCommonProtocol, "the peer offers other protocols than http/1.1"),
    (.noCommonVersion, "the peer speaks neither TLS 1.2 nor 1.3"),
    (.noCommonCipher, "no cipher, group or signature is known to both"), (.peerAlert(48), "the peer gave up with alert 48"),
    (.malformed(.max), "the bytes are not as they must be"), (.unexplained, "OpenSSL gave no reason"),
    (.hugeHello, "the client announces a hello of more than 16384 bytes"),
    (.flooded, "the peer sends messages of the protocol itself and hardly any data"),
  ]
  for (failure, sentence) in sentences { expectEqual(failure.sentence, sentence) }
  guard case .failed(let failure) = try state(after: [0x16, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF]) else { return expect(false, "no failure") }
  expect(failure.sentence.contains(" "), "OpenSSL's words: \(failure.sentence)")
  expectEqual(TLSFailure.takeLast(), .unexplained, "nothing is left behind")
}
