import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserRequestTests {
  @Test func `a request says who asks, how it fails and whose it is`() {
    let call = UserSamples.call(4)
    let guest = UserSamples.caller(UserSamples.guest, .guest)
    let error = ChatError.unavailable
    let opening = UserSamples.request(UserSamples.ann)
    let refused = EngineAction.reply(call, .failure(error))
    let cases: [(String, UserRequest, guest: UserID?, refusal: EngineAction?)] = [
      ("a guest's get", .call(.get, guest, call), UserSamples.guest, refused),
      ("a guest's set", .call(.set(UserPatch()), guest, call), nil, refused),
      ("a guest's device", .call(.unregisterDevice("t"), guest, call), nil, refused),
      ("a member's get", .call(.get, UserSamples.caller(UserSamples.bob), call), nil, refused),
      ("open", .open(opening, call), nil, .refuseSession(call, error)), ("persist", .persist(call), nil, refused),
      ("revoke", .revoke(call), nil, refused), ("refresh", .refresh(issuedAt: 1, expiresAt: 2, call), nil, refused),
      ("a guest's subscribe", .subscribe(UserSamples.subscriber(4), .online, viewer: guest), UserSamples.guest, nil),
    ]
    for (name, request, looker, refusal) in cases {
      expectEqual(request.guest(lookingAt: UserSamples.ann), looker, name)
      expectEqual(request.guest(lookingAt: UserSamples.guest), nil, "\(name), of the guest itself")
      let question: StoreQuery? = name == "a guest's device" ? .devices(UserSamples.ann) : looker.map { .areTogether($0, UserSamples.ann) }
      expectEqual(request.question(about: UserSamples.ann), question, name)
      expectEqual(request.isSettled(by: .devices([])), name == "a guest's device", "\(name), by devices")
      expectEqual(request.isSettled(by: .flag(true)), name != "a guest's device", "\(name), by a flag")
      expect(!request.isSettled(by: .users([])), "\(name), by users")
      expectEqual(request.refusal(error), refusal, name)
      expectEqual(request.endpoint, UserSamples.endpoint(4), name)
      expectEqual(request.isReading, ["a guest's get", "a member's get", "a guest's subscribe"].contains(name), name)
      expectEqual(request.isOpening, name == "open", name)
      expectEqual(request.opens(UserSamples.endpoint(4)), name == "open", name)
      expect(!request.opens(UserSamples.endpoint(5)), "\(name), of another connection")
      expectEqual(request.subscribes(UserSamples.subscriber(4)), name == "a guest's subscribe", name)
      expect(!request.subscribes(UserSamples.subscriber(5)), "\(name), of another subscriber")
    }
  }
}
