import FuzzSupport

@testable import Configuration

/// Reads configuration from a file, the environment and the command line: settings, or problems that say what would be right.
///
/// The first byte says what the rest is: `e` variables and `c` arguments, one a line; else a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  switch input.bytes.first {
  case UInt8(ascii: "e"):
    _ = input.byte()
    checkEnvironment(input.parts(at: 10, most: 12).map { String(decoding: $0, as: UTF8.self) })
  case UInt8(ascii: "c"):
    _ = input.byte()
    checkArguments(input.parts(at: 10, most: 12).map { String(decoding: $0, as: UTF8.self) })
  default: checkFile(input.text)
  }
  return 0
}

private func checkFile(_ text: String) {
  let result = SettingsReader.read(text: text, rules: [])
  check(result, secret: nil)
  let lines = 1 + text.utf8.count { $0 == 10 }
  if case .failure(let problems) = result {
    for problem in problems.all {
      guard case .file(let line) = problem.source else { return require(false, "a problem of the file is in the file") }
      require(line.map { (1...lines).contains($0) } ?? true, "line \(line ?? 0) of \(lines)")
    }
  }
  // A mistake that the scanner sees in what the decoder takes would be told for another one.
  let outline = JSON5Outline(of: text)
  require(outline.mistake.map { (1...lines + 1).contains($0.line) } ?? true, "a mistake is in the text")
  guard let value = try? ConfigurationValue.parse(text) else { return }
  let rendered = value.rendered()
  // Written once more, because NaN is not equal to itself.
  requireEqual((try? ConfigurationValue.parse(rendered))?.rendered(), rendered, "written and read again")
  require(JSON5Outline(of: rendered).mistake == nil, "what is written has no mistake: \(rendered)")
}

private func checkEnvironment(_ lines: [String]) {
  var variables = ["PARLEY_AUTH_SECRET": secret]
  for line in lines {
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    variables["PARLEY_" + parts[0]] = parts.count > 1 ? parts[1] : ""
  }
  check(SettingsReader.read(text: nil, environment: variables, readFile: { $0.isEmpty ? nil : $0 + "\n" }), secret: secret)
}

private let secret = "Q7u-not-in-any-dictionary-0123456789"

private func checkArguments(_ arguments: [String]) {
  do throws(UsageError) {
    switch try CommandLineParser.parse(arguments) {
    case .serve(_, let listen, _, _), .echo(let listen, _, _, _):
      require(listen.allSatisfy { ListenAddress($0) != nil }, "addresses are addresses")
    case .token(let request): require(!request.user.isEmpty && request.lifetime > 0, "a token is for somebody and some time")
    case .help(let text): require(!text.isEmpty, "help helps")
    case .checkConfig, .health, .version: break
    }
  } catch {
    require(!error.description.isEmpty, "a mistake is told")
  }
}

private func check(_ result: Result<Settings, ConfigurationProblems>, secret: String?) {
  switch result {
  case .failure(let problems):
    require(!problems.all.isEmpty, "a failure has a problem")
    for problem in problems.all {
      require(!problem.wrong.isEmpty && !problem.right.isEmpty, "a problem has a remedy")
      let text = problem.description
      require(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }, "a problem is one line: \(text)")
      if let secret { require(!text.contains(secret), "a secret is not told") }
    }
  case .success(var settings) where settings != Settings():
    let text = SettingsPrinter.effective(settings)
    if let secret = settings.auth.secret { require(secret.utf8.count >= 32 && !text.contains(secret), "a secret is long and not told") }
    guard settings.auth.secret == nil else { return }
    settings.auth.guests = StartRule.letsGuestsIn(settings)
    requireEqual(try? SettingsReader.read(text: text, rules: []).get(), settings, "printed and read again")
  case .success: break
  }
}
