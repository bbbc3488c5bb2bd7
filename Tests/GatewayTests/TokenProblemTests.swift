import Crypto
import Observability
import TestSupport
import Testing

@testable import Gateway

@Test func `a refused token is counted by what is to be done about it`() {
  let counted = Dictionary(grouping: TokenRefusal.allCases) { TokenProblem($0).reason }.mapValues { "\($0)" }
  expectEqual(counted[.expired], "\([TokenRefusal.expired])", "let the client fetch a new one")
  expectEqual(counted[.notYetValid], "\([TokenRefusal.notYetValid])", "set a clock")
  expectEqual(
    counted[.signature], "\([TokenRefusal.algorithmNotAllowed, .unknownKey, .badSignature, .wrongKeyForType])", "compare the keys")
  expectEqual(counted[.malformed], "\([TokenRefusal.tooLong, .malformed, .duplicateMember, .criticalHeader])", "find out who sends it")
  expectEqual(counted[.session], nil, "only a session knows that")
  for refusal in TokenRefusal.allCases { expectEqual(TokenProblem(refusal).sentence, refusal.sentence, "\(refusal)") }
}
