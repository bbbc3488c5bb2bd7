import Glibc

/// A system call on a descriptor that failed, and why.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried; the raw value is the word for logs.
  package enum Operation: String, Sendable {
    case accept, bind, connect, limit, listen, poll, receive, send, socket
  }

  /// What was tried.
  package let operation: Operation
  /// The call's `errno`.
  package let code: CInt

  /// An error with a code of its own.
  package init(_ operation: Operation, code: CInt) {
    self.operation = operation
    self.code = code
  }

  /// The error of the call that just failed on this thread.
  static func last(_ operation: Operation) -> SocketError {
    SocketError(operation, code: errno)
  }

  /// Whether someone else has the address.
  package var isAddressInUse: Bool { code == EADDRINUSE }

  /// Whether the process or the machine has no descriptor or no memory for one more socket.
  package var isDescriptorLimit: Bool {
    code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
  }

  package var description: String {
    // glibc's strerror is safe to call from several threads since 2.32.
    "\(operation.rawValue): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
  }
}
