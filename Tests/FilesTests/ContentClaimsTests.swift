import ChatModel
import TestSupport
import Testing

@testable import Files

@Suite struct ContentClaimsTests {
  private static let hash = FileHash(digest: Array(repeating: 1, count: 32))

  @Test func `a content goes when the store does not know it and nobody took it up meanwhile`() {
    let hash = Self.hash
    var claims = ContentClaims()
    expect(!claims.answered(hash, isReferenced: false), "nobody asked")
    expect(claims.release(hash) && !claims.release(hash), "asked once")
    expect(!claims.answered(hash, isReferenced: true), "still needed")
    expect(claims.release(hash), "asked again")
    expect(!claims.answered(hash, isReferenced: nil), "the store could not say")
    expect(claims.release(hash) && claims.answered(hash, isReferenced: false), "gone")
    expect(!claims.answered(hash, isReferenced: false), "once")
    expect(claims.release(hash), "asked")
    claims.hold(hash)
    expect(!claims.answered(hash, isReferenced: false), "taken up meanwhile")
    expect(!claims.release(hash), "held")
    claims.hold(hash)
    expect(!claims.letGo(hash), "another one holds it")
    expect(claims.letGo(hash) && claims.answered(hash, isReferenced: false), "the last one")
    expect(!claims.letGo(hash), "nobody holds it")
  }
}
