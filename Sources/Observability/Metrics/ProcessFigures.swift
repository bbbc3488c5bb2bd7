/// What the system says of the process, under the names that every Prometheus client library uses.
package struct ProcessFigures: Sendable, Equatable {
  /// Memory that is in use, bytes.
  package var residentBytes: Int64 = 0
  /// Address space, bytes.
  package var virtualBytes: Int64 = 0
  /// Open descriptors.
  package var openDescriptors: Int64 = 0
  /// How many descriptors may be open.
  package var maxDescriptors: Int64 = 0
  /// Time of processors that was used, in user code and in the kernel, microseconds.
  package var processorMicroseconds: UInt64 = 0
  /// When the process began, Unix milliseconds.
  package var startedAt: Int64 = 0

  /// Nothing known yet.
  package init() {}
}
