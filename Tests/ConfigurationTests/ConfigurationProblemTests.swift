import TestSupport
import Testing

@testable import Configuration

@Test func `a problem names its place, its cause and its remedy`() {
  let cases: [(ConfigurationProblem, String)] = [
    (ConfigurationProblem(.file(line: 3), "a.b", "is null", "use 1"), "line 3: a.b: is null; use 1"),
    (ConfigurationProblem(.file(line: nil), "a.b", "is null", "use 1"), "a.b: is null; use 1"),
    (ConfigurationProblem(.file(line: nil), "", "is not JSON5", "check it"), "is not JSON5; check it"),
    (ConfigurationProblem(.environment("PARLEY_A"), "a", "is null", "use 1"), "PARLEY_A: a: is null; use 1"),
    (ConfigurationProblem(.flag("--a"), "a", "is null", "use 1"), "--a: a: is null; use 1"),
    (ConfigurationProblem(.settings, "a", "is null", "use 1"), "a: is null; use 1"),
    (ConfigurationProblem(.environment("PARLEY_\n"), "a\u{1B}[2Jé", "is null", "use 1"), #""PARLEY_\n": "a\u001b[2Jé": is null; use 1"#),
  ]
  for (problem, text) in cases { expectEqual(problem.description, text, text) }
  expectEqual(ConfigurationProblems(cases.map(\.0)).description, cases.map(\.1).joined(separator: "\n"), "all of them")
}
