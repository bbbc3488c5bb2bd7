/// Shows settings as the JSON5 text that would set them.
package enum SettingsPrinter {
  /// What stands in place of a secret; too short to be taken for one.
  package static let mask = "********"

  /// The effective settings with secrets masked and with the decision on guests made.
  package static func effective(_ settings: Settings) -> String {
    var settings = settings
    settings.auth.guests = StartRule.letsGuestsIn(settings)
    return members(of: settings, in: "").rendered() + "\n"
  }

  private static func members(of settings: Settings, in section: String) -> ConfigurationValue {
    .object(
      SettingTable.names(in: section).map { name in
        let path = section.isEmpty ? name : "\(section).\(name)"
        guard let key = SettingTable.key(at: path) else { return .init(name, members(of: settings, in: path)) }
        let value = key.show(settings)
        return .init(name, key.isSecret && value != .null ? .text(mask) : value)
      })
  }
}
