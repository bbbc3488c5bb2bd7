import Glibc

/// How many descriptors this process may have open.
package struct DescriptorLimit: Hashable, Sendable {
  /// The limit that holds.
  package let soft: UInt64
  /// How far the process may raise it.
  package let hard: UInt64

  /// Reads the limit.
  package static func current() throws(SocketError) -> DescriptorLimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last(.limit) }
    return DescriptorLimit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
  }

  /// Raises the soft limit to the hard one and says what holds then; affects the whole process.
  package static func raise() throws(SocketError) -> DescriptorLimit {
    let before = try current()
    guard before.soft < before.hard else { return before }
    var limit = rlimit(rlim_cur: rlim_t(before.hard), rlim_max: rlim_t(before.hard))
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { throw .last(.limit) }
    return try current()
  }
}
