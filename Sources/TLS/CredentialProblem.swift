/// Why a certificate and its key cannot be used.
package enum CredentialProblem: Error, Equatable, Sendable {
  /// The file is not there or not readable, or larger than any chain.
  case unreadable(path: String)
  /// The text holds no certificate in PEM.
  case noCertificate
  /// A certificate of the chain, counted from 1, is damaged.
  case badCertificate(Int)
  /// The chain has more certificates than so many.
  case longChain(limit: Int)
  /// The text holds no private key in PEM, or a damaged one.
  case badKey
  /// The key asks for a password.
  case encryptedKey
  /// The key is not that of the certificate.
  case mismatch
  /// OpenSSL refuses the certificate, usually for a key that is too short; with its words.
  case refused(String)
  /// The files were written to while they were read.
  case unstable
  /// There was no memory.
  case noMemory

  /// What is wrong and what would be right.
  package var sentence: String {
    switch self {
    case .unreadable(let path): "the file \(path) cannot be read"
    case .noCertificate: "server.tls.certificate holds no certificate; it must be a PEM file, the server's own certificate first"
    case .badCertificate(let number): "server.tls.certificate: certificate \(number) of the file is damaged"
    case .longChain(let limit):
      "server.tls.certificate holds more than \(limit) certificates; it must be the server's own and those that lead to a root"
    case .badKey: "server.tls.key holds no private key that can be read; it must be a PEM file"
    case .encryptedKey: "server.tls.key is encrypted; store it without a password, readable by the gateway alone"
    case .mismatch: "server.tls.key is not the key of the first certificate in server.tls.certificate"
    case .refused(let reason): "server.tls.certificate is refused: \(reason)"
    case .unstable: "the certificate files change while they are read"
    case .noMemory: "there is no memory for a TLS context"
    }
  }
}
