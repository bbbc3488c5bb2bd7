import Configuration
import Crypto

/// The keys of the configuration, read and checked.
struct Keys {
  let keys: [TokenKey]

  /// Reads secret, PEM keys and the JWK set; throws the sentence that says which of them is at fault.
  init(_ auth: AuthSettings) throws(StartFailure) {
    var keys: [TokenKey] = []
    if let secret = auth.secret {
      keys.append(try Self.read("auth.secret") { () throws(TokenKeyError) in try .secret(Array(secret.utf8)) })
    }
    for (index, text) in auth.publicKeys.enumerated() {
      let name = "auth.publicKeys[\(index)]"
      let pem = try Self.content(text, name, marker: "-----BEGIN")
      keys.append(try Self.read(name) { () throws(TokenKeyError) in try .pem(pem) })
    }
    if let jwks = auth.jwks {
      let text = try Self.content(jwks, "auth.jwks", marker: "{")
      do throws(TokenKeyError) { keys += try TokenKey.jwks(text) } catch { throw StartFailure("auth.jwks: \(error.sentence)") }
    }
    let allowed = Set(auth.algorithms.map(\.rawValue))
    self.keys = keys.filter { allowed.contains($0.algorithm.rawValue) }
  }

  private static func read(_ name: String, _ make: () throws(TokenKeyError) -> TokenKey) throws(StartFailure) -> TokenKey {
    do throws(TokenKeyError) { return try make() } catch { throw StartFailure("\(name): \(error.sentence)") }
  }

  /// A key stands in the configuration itself, or in the file that it names.
  private static func content(_ text: String, _ name: String, marker: String) throws(StartFailure) -> String {
    if text.drop(while: \.isWhitespace).hasPrefix(marker) { return text }
    guard let content = Surroundings.text(of: text) else { throw StartFailure("\(name): the file \(text) cannot be read") }
    return content
  }
}

/// Why a command cannot go on, for people.
struct StartFailure: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
