/// The permissions of a role, each declared once.
enum RoleTable {
  /// One permission: its name and its place.
  enum Permission: Sendable {
    case reach(String, any WritableKeyPath<RoleSettings, RoleSettings.Reach> & Sendable)
    case flag(String, any WritableKeyPath<RoleSettings, Bool> & Sendable)

    /// The key in the file.
    var name: String {
      switch self {
      case .reach(let name, _), .flag(let name, _): name
      }
    }
  }

  /// Every permission in the order in which it is shown.
  static let permissions: [Permission] = [
    .reach("send", \.messages.send), .reach("react", \.messages.react), .reach("reply", \.messages.reply),
    .reach("edit", \.messages.edit), .reach("delete", \.messages.delete),
    .flag("files", \.files), .flag("locations", \.locations), .flag("links", \.links), .flag("moderate", \.moderate),
    .flag("manageUsers", \.manageUsers), .flag("manageConversations", \.manageConversations),
  ]

  /// The role as a value.
  static func show(_ role: RoleSettings) -> ConfigurationValue {
    .object(
      permissions.map { permission in
        switch permission {
        case .reach(let name, let field): .init(name, .text(role[keyPath: field].rawValue))
        case .flag(let name, let field): .init(name, .flag(role[keyPath: field]))
        }
      })
  }

  /// Reads a role; what it leaves out is as in the built-in default.
  static func read(_ members: [ConfigurationValue.Member], at place: String, into role: inout RoleSettings) -> [SettingKey.Complaint] {
    let names = permissions.map(\.name)
    var complaints: [SettingKey.Complaint] = []
    for member in members {
      let place = "\(place).\(member.name)"
      guard let permission = permissions.first(where: { $0.name == member.name }) else {
        let nearest = NearestName.of(member.name, among: names)
        complaints.append(
          .init(
            place: place, wrong: "is not a permission",
            right: nearest.map { "did you mean \($0)?" } ?? "the permissions are \(names.joined(separator: ", "))"))
        continue
      }
      switch (permission, member.value) {
      case (.reach(_, let field), .text(let word)):
        let words = RoleSettings.Reach.allCases.map(\.rawValue)
        if let reach = RoleSettings.Reach(rawValue: word) {
          role[keyPath: field] = reach
        } else {
          var complaint = SettingKey.Complaint.unknownWord(word, among: words, at: place)
          complaint.right = reachWords
          complaints.append(complaint)
        }
      case (.flag(_, let field), .flag(let flag)): role[keyPath: field] = flag
      case (.reach, _): complaints.append(.init(place: place, wrong: "is \(member.value.kind)", right: reachWords))
      case (.flag, _): complaints.append(.init(place: place, wrong: "is \(member.value.kind)", right: "use true or false"))
      }
    }
    return complaints
  }

  private static let reachWords = "use one of " + RoleSettings.Reach.allCases.map(\.rawValue).joined(separator: ", ")
}

extension SettingKey {
  /// The map of roles.
  static func roles(_ path: String, _ field: any Field<[String: RoleSettings]>, _ reason: String) -> SettingKey {
    SettingKey(
      path: path, reason: reason, accepts: "use an object of roles, each an object of permissions", isSecret: false, shape: .object,
      store: { value, settings in
        guard case .object(let members) = value else { return [.wrongKind(value)] }
        var complaints: [Complaint] = []
        for member in members {
          let place = ".\(member.name)"
          guard isRoleName(member.name) else {
            complaints.append(
              Complaint(place: place, wrong: "is no name for a role", right: "use 1 to 64 letters, digits, '-' or '_'"))
            continue
          }
          guard case .object(let permissions) = member.value else {
            complaints.append(.wrongKind(member.value, at: place))
            continue
          }
          var role = RoleSettings()
          complaints += RoleTable.read(permissions, at: place, into: &role)
          settings[keyPath: field][member.name] = role
        }
        return complaints
      },
      show: { settings in
        let roles = settings[keyPath: field].sorted { $0.key < $1.key }
        return .object(roles.map { .init($0.key, RoleTable.show($0.value)) })
      })
  }

  private static func isRoleName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }
}
