import TestSupport
import Testing

@testable import Configuration

@Test func `printed settings set the same settings, and secrets are masked`() throws {
  var settings = Settings()
  settings.auth.guests = false
  settings.auth.publicKeys = ["line\n\"quoted\" \\ \u{7}"]
  settings.server.listen = ["0.0.0.0:80", "[::]:80"]
  settings.server.limits.maxBatch = 3
  settings.metrics.listen = "127.0.0.1:9"
  settings.roles["night-shift"] = RoleSettings()
  let text = SettingsPrinter.effective(settings)
  expectEqual(try SettingsReader.read(text: text).get(), settings, "read again")
  expect(text.contains("  server: {\n    listen: [\"0.0.0.0:80\", \"[::]:80\"],\n"), "sections are indented")
  expect(text.contains("\"night-shift\": {"), "a name that is no identifier is quoted")

  let secret = "correct horse battery staple, twice"
  settings.auth.secret = secret
  let masked = SettingsPrinter.effective(settings)
  expect(masked.contains("secret: \"********\""), "the mask")
  expect(!masked.contains("horse"), "no secret")

  expect(SettingsPrinter.effective(Settings()).contains("guests: true,"), "the decision on guests is made")
  expect(SettingsPrinter.effective(Settings()).contains("secret: null,"), "no secret, no mask")
}
