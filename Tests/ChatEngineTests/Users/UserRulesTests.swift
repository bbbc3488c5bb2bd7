import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserRulesTests {
  private static let ann = UserSamples.record(UserSamples.ann)

  private static func apply(
    _ operation: UserOperation, by caller: Caller, to record: UserRecord?, sync: Bool = true, of user: UserID = UserSamples.ann,
    at now: Timestamp = 100
  ) -> Result<UserRecord?, ChatError> {
    var settings = ChatSettings()
    settings.syncUsers = sync
    settings.roles = ["default", "admin"]
    let rules = UserRules(settings: settings, caller: caller, user: user)
    do throws(ChatError) { return .success(try rules.apply(operation, to: record, at: now)) } catch { return .failure(error) }
  }

  /// The code and field of a refusal, nil for a success.
  private static func refusal(_ result: Result<UserRecord?, ChatError>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return "\(error.kind.rawValue) \(error.field ?? "-")"
  }

  @Test func `who may do what to whom`() {
    var role = UserSamples.renaming("New")
    role.role = .set("admin")
    let named = UserSamples.renaming("New")
    let own = UserSamples.caller(UserSamples.ann)
    let other = UserSamples.caller(UserSamples.bob)
    let manager = UserSamples.caller(UserSamples.bob, manages: true)
    let app = UserSamples.caller(UserSamples.bob, .app)
    let guest = UserSamples.caller(UserSamples.guest, .guest)
    let operations: [(String, UserOperation)] = [
      ("get", .get), ("create", .createIfNotExists(named)), ("create with role", .createIfNotExists(role)), ("set", .set(named)),
      ("set role", .set(role)), ("delete fields", .deleteFields([.locale])), ("delete role", .deleteFields([.locale, .role])),
    ]
    let free: [String?] = [nil, nil, nil, nil, nil, nil, nil]
    let off: [String?] = [nil, "105 -", "105 -", "105 -", "105 -", "105 -", "105 -"]
    let cases: [(String, Caller, sync: Bool, existing: [String?], missing: [String?])] = [
      (
        "own", own, true, [nil, nil, nil, nil, "101 role", nil, "101 role"],
        [nil, nil, "101 role", nil, "101 role", "104 user", "101 role"]
      ),
      (
        "another", other, true, [nil, nil, nil, "101 user", "101 user", "101 user", "101 user"],
        [nil, "101 user", "101 user", "101 user", "101 user", "101 user", "101 user"]
      ),
      (
        "a guest", guest, true, [nil, "101 user", "101 user", "101 user", "101 user", "101 user", "101 user"],
        [nil, "101 user", "101 user", "101 user", "101 user", "101 user", "101 user"]
      ),
      ("a manager", manager, false, free, [nil, nil, nil, nil, nil, "104 user", "104 user"]),
      ("a backend", app, false, free, [nil, nil, nil, nil, nil, "104 user", "104 user"]),
      ("own, sync off", own, false, off, off), ("another, sync off", other, false, off, off),
    ]
    for (name, caller, sync, existing, missing) in cases {
      for (index, (title, operation)) in operations.enumerated() {
        expectEqual(Self.refusal(Self.apply(operation, by: caller, to: Self.ann, sync: sync)), existing[index], "\(name): \(title)")
        let result = Self.apply(operation, by: caller, to: nil, sync: sync)
        expectEqual(Self.refusal(result), missing[index], "\(name): \(title) of nobody")
      }
    }
  }

  @Test func `fields are kept, changed and reset`() {
    let own = UserSamples.caller(UserSamples.ann)
    let app = UserSamples.caller(UserSamples.bob, .app)
    var patch = UserSamples.renaming("Anne")
    patch.photoUrl = .set("https://a/b")
    patch.locale = .set("de")
    patch.role = .set("admin")
    patch.email = .set(["a@b"])
    patch.phone = .set(["+49"])
    patch.welcomeMessage = .set("Hello")
    patch.custom = .merge([.init(key: "a", value: "1"), .init(key: "b", value: "2")])
    var full = Self.ann
    full.name = "Anne"
    full.photoUrl = "https://a/b"
    full.locale = "de"
    full.role = "admin"
    full.email = ["a@b"]
    full.phone = ["+49"]
    full.welcomeMessage = "Hello"
    full.custom = CustomFields([("a", "1"), ("b", "2")])
    full.revision = 2
    full.changedAt = 100
    expectEqual(Self.apply(.set(patch), by: app, to: Self.ann), .success(full), "every field is set")
    expectEqual(Self.apply(.set(patch), by: app, to: full, at: 200), .success(full), "what changes nothing is no change")
    expectEqual(Self.apply(.set(UserPatch()), by: own, to: full), .success(full), "nothing is kept as it is")
    var unknown = UserPatch()
    unknown.role = .set("emperor")
    expectEqual(Self.refusal(Self.apply(.set(unknown), by: app, to: full)), "-32602 role", "a role that does not exist")
    expectEqual(Self.apply(.get, by: own, to: full), .success(full), "a get")
    expectEqual(Self.apply(.createIfNotExists(UserSamples.renaming("Other")), by: own, to: full), .success(full), "there already")

    let fields: [UserField] = [.photoUrl, .locale, .role, .email, .phone, .welcomeMessage, .customKey("a")]
    var bare = Self.ann
    bare.name = "Anne"
    bare.custom = CustomFields([("b", "2")])
    bare.revision = 3
    bare.changedAt = 100
    expectEqual(Self.apply(.deleteFields(fields), by: app, to: full, at: 50), .success(bare), "the clock never goes back")
    bare.custom = CustomFields()
    bare.revision = 4
    bare.changedAt = 300
    var before = bare
    before.custom = CustomFields([("b", "2")])
    before.revision = 3
    expectEqual(Self.apply(.deleteFields([.custom]), by: own, to: before, at: 300), .success(bare), "all custom fields")
    before.revision = .max
    bare.revision = .min
    expectEqual(Self.apply(.deleteFields([.custom]), by: own, to: before, at: 300), .success(bare), "no revision traps")
  }

  @Test func `a user is created with a name of its own and an id that is not the server's`() {
    let app = UserSamples.caller(UserSamples.bob, .app)
    let guest = UserSamples.caller(UserSamples.guest, .guest)
    var new = UserRecord(id: UserSamples.ann, name: "New", createdAt: 100)
    let naming = UserSamples.renaming("New")
    for operation in [UserOperation.createIfNotExists(naming), .set(naming)] {
      expectEqual(Self.apply(operation, by: app, to: nil), .success(new), "new")
      expectEqual(Self.refusal(Self.apply(operation, by: app, to: nil, of: UserSamples.guest)), "-32602 user", "an id of the server")
    }
    new = UserRecord(id: UserSamples.guest, name: "New", createdAt: 100)
    expectEqual(Self.apply(.set(naming), by: guest, to: nil, of: UserSamples.guest), .success(new), "the guest itself")
    for operation in [UserOperation.createIfNotExists(UserPatch()), .set(UserPatch())] {
      expectEqual(Self.refusal(Self.apply(operation, by: app, to: nil)), "-32602 name", "no name")
    }
    var large = naming
    large.custom = .merge([.init(key: "k", value: String(repeating: "x", count: CustomFields.maxBytes))])
    expectEqual(Self.refusal(Self.apply(.set(large), by: app, to: nil)), "107 custom", "too large, new")
    expectEqual(Self.refusal(Self.apply(.set(large), by: app, to: Self.ann)), "107 custom", "too large")
  }

  @Test func `first sight and revoking make records`() {
    let names: [(String?, String)] = [("Bob", "Bob"), (nil, "ann"), ("", "ann"), (String(repeating: "x", count: 201), "ann")]
    for (name, expected) in names {
      var opening = UserSamples.request(UserSamples.ann, name: name)
      opening.photoUrl = "https://a/b"
      let record = UserRules.firstSight(of: opening, at: 5)
      expectEqual([record.name, record.photoUrl], [expected, "https://a/b"], "the name \(name ?? "-")")
      expectEqual([record.createdAt, record.changedAt, record.revision], [5, 5, 1], "the name \(name ?? "-")")
    }
    for (url, isKept) in [("http://a", true), ("HTTPS://a", true), ("javascript:a", false), ("", false)] {
      var opening = UserSamples.request(UserSamples.ann)
      opening.photoUrl = url
      expectEqual(UserRules.firstSight(of: opening, at: 5).photoUrl, isKept ? url : nil, "the picture \(url)")
    }
    let first = UserRules.revoked(nil, id: UserSamples.ann, at: 5_999)
    expectEqual([first.revokedAt, first.revision, first.createdAt], [5, 1, 5_999], "of a user who was never seen")
    expectEqual(first.name, "ann", "of a user who was never seen")
    let later = UserRules.revoked(first, id: UserSamples.ann, at: 7_000)
    expectEqual([later.revokedAt, later.revision, later.changedAt], [7, 2, 7_000], "again")
    expectEqual(UserRules.revoked(later, id: UserSamples.ann, at: 6_000), later, "a clock that went back lets nobody in")
  }
}
