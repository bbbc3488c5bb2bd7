/// Bytes to send, laid out as the system's `struct iovec`: the shell binds its memory to that for `writev`.
package struct OutboundVector {
  /// The first byte.
  package let base: UnsafeRawPointer
  /// How many.
  package let count: Int
}
