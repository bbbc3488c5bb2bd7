import CLinux

/// How the C library gives memory back.
package enum ProcessMemory {
  /// Lets large pieces, such as pages on their way to slow readers, go back to the system as soon as they are freed.
  ///
  /// By default the bound grows with the largest piece that was freed, and each thread keeps a heap of its own: after a burst the process
  /// would stay as large as it ever was.
  package static func returnLargePieces() {
    mallopt(M_MMAP_THRESHOLD, 65_536)
    mallopt(M_ARENA_MAX, 4)
  }
}
