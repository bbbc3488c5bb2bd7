import Glibc
import TestSupport
import Testing
import Transport

@Suite struct DescriptorLimitTests {
  @Test func `the limit is raised as far as it goes`() throws {
    let before = try DescriptorLimit.current()
    expect(before.soft > 0 && before.soft <= before.hard, "a limit")
    // One less than now harms no test that runs beside this one.
    var lower = rlimit(rlim_cur: rlim_t(before.hard - 1), rlim_max: rlim_t(before.hard))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lower)
    expectEqual(try DescriptorLimit.current().soft, before.hard - 1, "lowered")
    let raised = try DescriptorLimit.raise()
    expectEqual(raised.soft, before.hard, "the soft limit is the hard one")
    expectEqual(try DescriptorLimit.current(), raised, "and stays")
    expectEqual(try DescriptorLimit.raise(), raised, "twice")
  }
}
