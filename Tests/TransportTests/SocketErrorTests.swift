import Glibc
import TestSupport
import Testing
import Transport

@Suite struct SocketErrorTests {
  @Test func `an error says what failed and why`() {
    let cases: [(SocketError, String, Bool, Bool)] = [
      (SocketError(.bind, code: EADDRINUSE), "bind: Address already in use", true, false),
      (SocketError(.accept, code: EMFILE), "accept: Too many open files", false, true),
      (SocketError(.accept, code: ENFILE), "accept: Too many open files in system", false, true),
      (SocketError(.socket, code: ENOBUFS), "socket: No buffer space available", false, true),
      (SocketError(.poll, code: ENOMEM), "poll: Cannot allocate memory", false, true),
      (SocketError(.connect, code: ECONNREFUSED), "connect: Connection refused", false, false),
    ]
    for (error, text, isInUse, isLimit) in cases {
      expectEqual(error.description, text, text)
      expectEqual(error.isAddressInUse, isInUse, text)
      expectEqual(error.isDescriptorLimit, isLimit, text)
    }
  }
}
