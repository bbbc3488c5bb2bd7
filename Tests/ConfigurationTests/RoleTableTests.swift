import TestSupport
import Testing

@testable import Configuration

@Test func `a role takes what it names and keeps the default for the rest`() throws {
  let text = "{ roles: { moderator: { edit: 'all', delete: 'all', links: true, moderate: true }, default: { send: 'own', files: false } } }"
  let roles = try SettingsReader.read(text: text).get().roles
  var moderator = RoleSettings()
  moderator.messages.edit = .all
  moderator.messages.delete = .all
  moderator.links = true
  moderator.moderate = true
  expectEqual(roles["moderator"], moderator, "a role of its own")
  var normal = RoleSettings()
  normal.messages.send = .own
  normal.files = false
  expectEqual(roles["default"], normal, "a changed default")
  expectEqual(roles.count, 2, "no others")
}

@Test func `each wrong role has its place and its remedy`() {
  let reach = "use one of none, own, all"
  let cases: [(String, [String])] = [
    ("{ roles: [] }", ["line 1: roles: is a list; use an object of roles, each an object of permissions"]),
    ("{ roles: { a: 1 } }", ["line 1: roles.a: is a number; use an object of roles, each an object of permissions"]),
    ("{ roles: { 'a b': {} } }", ["line 1: roles.a b: is no name for a role; use 1 to 64 letters, digits, '-' or '_'"]),
    ("{ roles: { a: { sned: 'all' } } }", ["line 1: roles.a.sned: is not a permission; did you mean send?"]),
    (
      "{ roles: { a: { levitate: true } } }",
      [
        "line 1: roles.a.levitate: is not a permission; the permissions are send, react, reply, edit, delete, files, locations, links, "
          + "moderate, manageUsers, manageConversations"
      ]
    ),
    ("{ roles: { a: { send: 'x' } } }", ["line 1: roles.a.send: \"x\" is not known; \(reach)"]),
    ("{ roles: { a: {\n send: 'noone' } } }", ["line 2: roles.a.send: \"noone\" is not known (did you mean none?); \(reach)"]),
    ("{ roles: { a: { edit: true } } }", ["line 1: roles.a.edit: is true or false; \(reach)"]),
    ("{ roles: { a: { links: 'all' } } }", ["line 1: roles.a.links: is a text; use true or false"]),
  ]
  for (text, expected) in cases {
    guard case .failure(let problems) = SettingsReader.read(text: text) else {
      expect(false, text)
      continue
    }
    expectEqual(problems.all.map(\.description), expected, text)
  }
}
