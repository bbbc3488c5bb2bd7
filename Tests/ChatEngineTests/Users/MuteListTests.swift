import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct MuteListTests {
  private static func after(_ operation: UserOperation, _ list: Set<UserID>) -> Result<Set<UserID>?, ChatError> {
    do throws(ChatError) { return .success(try MuteList.changed(list, by: operation, of: UserSamples.ann)) } catch {
      return .failure(error)
    }
  }

  @Test func `a list grows and shrinks within its bound, and never holds its owner`() {
    let (ann, bob) = (UserSamples.ann, UserSamples.bob)
    let full = Set((0..<ChatSettings.maxMuted).map { UserID(stored: "u\($0)") })
    let tooMany = ChatError(.limitExceeded, "A mute list has at most 200 users", field: "user")
    let cases: [(UserOperation, Set<UserID>, Result<Set<UserID>?, ChatError>)] = [
      (.mute(bob), [], .success([bob])), (.mute(bob), [bob], .success(nil)), (.unmute(bob), [bob], .success([])),
      (.unmute(bob), [], .success(nil)), (.mute(ann), [], .failure(.invalid("user", "must be another user"))),
      (.unmute(ann), [], .success(nil)), (.mute(bob), full, .failure(tooMany)), (.mute(UserID(stored: "u7")), full, .success(nil)),
      (.muted, [bob], .success(nil)), (.get, [bob], .success(nil)),
    ]
    for (operation, list, result) in cases { expectEqual(Self.after(operation, list), result, "\(operation)") }
  }
}
