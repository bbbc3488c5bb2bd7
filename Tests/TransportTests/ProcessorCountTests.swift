import Glibc
import TestSupport
import Testing
import Transport

@Test func `there is a processor to use, and no more than the machine has`() {
  expect((1...max(1, sysconf(CInt(_SC_NPROCESSORS_CONF)))).contains(ProcessorCount.usable), "\(ProcessorCount.usable)")
}
