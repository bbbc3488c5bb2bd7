import ChatModel

/// What one caller may do with a user's record, and what comes of it.
struct UserRules {
  let settings: ChatSettings
  let caller: Caller
  let user: UserID

  /// The record after an operation, equal to the one before where nothing changes; throws why it is refused.
  func apply(_ operation: UserOperation, to record: UserRecord?, at now: Timestamp) throws(ChatError) -> UserRecord? {
    switch operation {
    // Where a user is, and whom they do not see, decides the machine; devices are no part of the record.
    case .get, .whereabouts, .registerDevice, .unregisterDevice, .mute, .unmute, .muted: return record
    case .createIfNotExists(let patch):
      try checkSync()
      // A guest would learn in this way of users whom `user.get` hides.
      if let record, caller.user == user || caller.kind != .guest { return record }
      try checkChange(ofRole: patch.role != .keep)
      return try created(patch, at: now)
    case .set(let patch):
      try checkSync()
      try checkChange(ofRole: patch.role != .keep)
      guard let record else { return try created(patch, at: now) }
      return Self.stamped(try patched(record, patch), over: record, at: now)
    case .deleteFields(let fields):
      try checkSync()
      try checkChange(ofRole: fields.contains(.role))
      guard let record else { throw ChatError(.notFound, "There is no such user", field: "user") }
      var changed = record
      for field in fields { Self.reset(field, of: &changed) }
      return Self.stamped(changed, over: record, at: now)
    }
  }

  // MARK: - Records

  /// The record of a user who was never seen before; what the token says of them and breaks a rule is left out.
  static func firstSight(of opening: SessionRequest, at now: Timestamp) -> UserRecord {
    let name = opening.name.flatMap { (1...ChatSettings.maxNameLength).contains($0.unicodeScalars.count) ? $0 : nil }
    var record = UserRecord(id: opening.user, name: name ?? opening.user.text, createdAt: now)
    record.photoUrl = opening.photoUrl.flatMap { url in
      ["http://", "https://"].contains { url.lowercased().hasPrefix($0) } ? url : nil
    }
    return record
  }

  /// The record with every token refused that was issued until now.
  static func revoked(_ record: UserRecord?, id: UserID, at now: Timestamp) -> UserRecord {
    var changed = record ?? UserRecord(id: id, name: id.text, createdAt: now)
    changed.revokedAt = max(now / 1000, changed.revokedAt ?? 0)
    return stamped(changed, over: record, at: now)
  }

  private func created(_ patch: UserPatch, at now: Timestamp) throws(ChatError) -> UserRecord {
    guard !user.isGuest || caller.user == user else {
      throw .invalid("user", "must not begin with \(UserID.guestPrefix): the server makes such ids")
    }
    guard let name = patch.name else { throw .invalid("name", "is needed to create a user") }
    return try patched(UserRecord(id: user, name: name, createdAt: now), patch)
  }

  private func patched(_ record: UserRecord, _ patch: UserPatch) throws(ChatError) -> UserRecord {
    if case .set(let role) = patch.role, !settings.roles.contains(role) { throw .invalid("role", "is not a role of the configuration") }
    var changed = record
    if let name = patch.name { changed.name = name }
    patch.photoUrl.apply(to: &changed.photoUrl)
    patch.locale.apply(to: &changed.locale)
    patch.role.apply(to: &changed.role, default: UserRecord.defaultRole)
    patch.email.apply(to: &changed.email, default: [])
    patch.phone.apply(to: &changed.phone, default: [])
    patch.welcomeMessage.apply(to: &changed.welcomeMessage)
    changed.custom.apply(patch.custom)
    guard changed.custom.isWithinBounds else { throw .customTooLarge }
    return changed
  }

  /// Marks a record that differs as newer.
  private static func stamped(_ changed: UserRecord, over record: UserRecord?, at now: Timestamp) -> UserRecord {
    guard let record, changed != record else { return changed }
    var stamped = changed
    stamped.revision = record.revision &+ 1
    stamped.changedAt = max(now, record.changedAt)
    return stamped
  }

  private static func reset(_ field: UserField, of record: inout UserRecord) {
    switch field {
    case .photoUrl: record.photoUrl = nil
    case .custom: record.custom = CustomFields()
    case .customKey(let key): record.custom[key] = nil
    case .locale: record.locale = nil
    case .role: record.role = UserRecord.defaultRole
    case .email: record.email = []
    case .phone: record.phone = []
    case .welcomeMessage: record.welcomeMessage = nil
    }
  }

  // MARK: - Permissions

  private var mayManage: Bool { caller.kind == .app || caller.permissions.manageUsers }

  private func checkSync() throws(ChatError) {
    guard settings.syncUsers || mayManage else {
      throw ChatError(.syncDisabled, "Clients may not change users here (sync.users is off)")
    }
  }

  private func checkChange(ofRole changesRole: Bool) throws(ChatError) {
    if mayManage { return }
    guard caller.user == user else { throw ChatError(.forbidden, "You may change only your own user", field: "user") }
    guard !changesRole else { throw ChatError(.forbidden, "You may not change roles", field: "role") }
  }
}
