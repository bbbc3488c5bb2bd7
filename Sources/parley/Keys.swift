import Configuration
import Crypto

/// The keys of the configuration, read and checked.
struct Keys {
  let keys: [TokenKey]

  /// Reads secret, PEM keys and the JWK set; throws the sentences that say which of them are at fault, a line for each.
  init(_ auth: AuthSettings, at occasion: Surroundings.Occasion) throws(StartFailure) {
    let results = Self.read(auth, at: occasion)
    let problems = results.compactMap(\.problem)
    guard problems.isEmpty else { throw StartFailure(problems.joined(separator: "\n")) }
    let allowed = Set(auth.algorithms.map(\.rawValue))
    keys = results.flatMap(\.keys).filter { allowed.contains($0.algorithm.rawValue) }
  }

  /// What is wrong with the keys, each with where it stands.
  static func problems(of auth: AuthSettings) -> [String] { read(auth, at: .start).compactMap(\.problem) }

  /// The keys of one place, or what is wrong with it.
  private struct Place {
    var keys: [TokenKey] = []
    var problem: String?

    init(_ name: String, _ read: () throws(TokenKeyError) -> [TokenKey]) {
      do throws(TokenKeyError) { keys = try read() } catch { problem = "\(name): \(error.sentence)" }
    }

    private init(problem: String) { self.problem = problem }

    /// Keys that stand in the configuration itself, or in the file that it names.
    init(
      _ name: String, _ text: String, marker: String, at occasion: Surroundings.Occasion,
      _ read: (String) throws(TokenKeyError) -> [TokenKey]
    ) {
      if text.drop(while: \.isWhitespace).hasPrefix(marker) {
        self.init(name) { () throws(TokenKeyError) in try read(text) }
      } else if let content = Surroundings.text(of: text, at: occasion) {
        self.init(name) { () throws(TokenKeyError) in try read(content) }
      } else {
        self.init(problem: "\(name): the file \(text) cannot be read\(occasion.hint)")
      }
    }
  }

  private static func read(_ auth: AuthSettings, at occasion: Surroundings.Occasion) -> [Place] {
    var places: [Place] = []
    if let secret = auth.secret {
      places.append(Place("auth.secret") { () throws(TokenKeyError) in [try .secret(Array(secret.utf8))] })
    }
    for (index, text) in auth.publicKeys.enumerated() {
      places.append(
        Place("auth.publicKeys[\(index)]", text, marker: "-----BEGIN", at: occasion) { (pem) throws(TokenKeyError) in [try .pem(pem)] })
    }
    if let jwks = auth.jwks {
      places.append(Place("auth.jwks", jwks, marker: "{", at: occasion) { (text) throws(TokenKeyError) in try TokenKey.jwks(text) })
    }
    return places
  }
}

/// Why a command cannot go on, for people.
struct StartFailure: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
