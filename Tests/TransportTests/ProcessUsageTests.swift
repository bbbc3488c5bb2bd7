import Glibc
import TestSupport
import Testing

@testable import Transport

@Test func `the kernel tells what the process uses`() throws {
  let before = ProcessUsage.current()
  let page = Int64(sysconf(CInt(_SC_PAGESIZE)))
  expect(before.residentBytes > 1 << 20 && before.residentBytes % page == 0, "resident: \(before.residentBytes)")
  expect(before.virtualBytes >= before.residentBytes, "virtual: \(before.virtualBytes)")
  let opened = (0..<200).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
  defer { for descriptor in opened { close(descriptor) } }
  var sum: UInt64 = 0
  var after = ProcessUsage.current()
  // Until the clock of processors has moved; other tests open and close a few descriptors meanwhile.
  for round in 0..<100_000_000 where after.processorMicroseconds <= before.processorMicroseconds {
    sum &+= UInt64(round)
    if round % 100_000 == 0 { after = ProcessUsage.current() }
  }
  expect(after.processorMicroseconds > before.processorMicroseconds, "time passes (\(sum))")
  expect(after.openDescriptors >= before.openDescriptors + 100, "\(before.openDescriptors) to \(after.openDescriptors)")
}
