import CLinux
import Glibc

/// How many event loops make sense.
package enum ProcessorCount {
  /// The processors that this process may use, at least one: containers are often given fewer than the machine has.
  package static var usable: Int {
    // As many bits as the kernel's largest mask has.
    var mask = [UInt64](repeating: 0, count: 128)
    let isKnown = mask.withUnsafeMutableBytes { sched_getaffinity(0, UInt($0.count), $0.baseAddress) == 0 }
    let count = isKnown ? mask.reduce(0) { $0 + $1.nonzeroBitCount } : sysconf(CInt(_SC_NPROCESSORS_ONLN))
    return max(1, count)
  }
}
