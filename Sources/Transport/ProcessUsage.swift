import Glibc

/// What this process uses of the machine, as the kernel counts it.
package struct ProcessUsage: Hashable, Sendable {
  /// Memory that is in use, bytes.
  package var residentBytes: Int64
  /// Address space, bytes.
  package var virtualBytes: Int64
  /// Open descriptors; counting them takes 0.2 µs each where the kernel does not tell (before Linux 6.2).
  package var openDescriptors: Int64
  /// Time of processors that was used, in user code and in the kernel, microseconds.
  package var processorMicroseconds: UInt64

  /// Asks the kernel; what it does not tell is 0.
  package static func current() -> ProcessUsage {
    let pages = memoryPages()
    let pageSize = Int64(sysconf(CInt(_SC_PAGESIZE)))
    return ProcessUsage(
      residentBytes: pages.resident.multipliedReportingOverflow(by: pageSize).partialValue,
      virtualBytes: pages.size.multipliedReportingOverflow(by: pageSize).partialValue, openDescriptors: descriptors(),
      processorMicroseconds: processorTime())
  }

  /// The first two numbers of `/proc/self/statm` (proc(5)).
  private static func memoryPages() -> (size: Int64, resident: Int64) {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return (0, 0) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    let numbers = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).prefix(2).map {
      Int64(String(decoding: $0, as: UTF8.self)) ?? 0
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : (0, 0)
  }

  private static func descriptors() -> Int64 {
    let path = "/proc/self/fd"
    var status = stat()
    // Since Linux 6.2 the folder's size is the number of open descriptors.
    if stat(path, &status) == 0, status.st_size > 0 { return Int64(status.st_size) }
    guard let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var count: Int64 = 0
    while readdir(folder) != nil { count += 1 }
    // Not ".", "..", and the folder itself.
    return max(0, count - 3)
  }

  private static func processorTime() -> UInt64 {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return microseconds(usage.ru_utime) &+ microseconds(usage.ru_stime)
  }

  private static func microseconds(_ time: timeval) -> UInt64 {
    UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_usec)
  }
}
