package import Transport

/// The sockets that listen, one for each address and loop.
package struct ListeningSockets: Sendable {
  /// By loop, then by address.
  private(set) var byLoop: [[CInt]]
  /// The addresses that are listened on, with the ports that the system chose.
  package private(set) var addresses: [SocketAddress] = []

  /// Opens the sockets; fails with the address that could not be listened on.
  package init(_ wanted: [SocketAddress], loops: Int) throws(ListenError) {
    byLoop = Array(repeating: [], count: max(1, loops))
    for address in wanted {
      do throws(SocketError) {
        let first = try Socket.listen(on: address, reusePort: loops > 1)
        byLoop[0].append(first)
        for loop in byLoop.indices.dropFirst() { byLoop[loop].append(try Socket.share(first)) }
        addresses.append(Socket.localAddress(first) ?? address)
      } catch {
        close()
        throw ListenError(address: address, error: error)
      }
    }
  }

  private func close() {
    for descriptor in byLoop.joined() { Socket.close(descriptor) }
  }

  /// Accepts on one loop into a context; returns what has to be closed to stop.
  func accept(on loop: isolated EventLoop, into context: ConnectionContext) throws(SocketError) -> [Listener] {
    var listeners: [Listener] = []
    for descriptor in byLoop[loop.index] {
      let listener = Listener(descriptor: descriptor, target: context)
      try listener.start(on: loop)
      listeners.append(listener)
    }
    return listeners
  }
}

/// An address cannot be listened on.
package struct ListenError: Error, Equatable, CustomStringConvertible {
  package let address: SocketAddress
  package let error: SocketError

  /// What happened and what can be done about it.
  package var description: String {
    if error.isAddressInUse {
      return """
        \(address) is in use: another program, perhaps another Parley, listens there. Stop it, or choose another address with --listen
        """
    }
    return "Cannot listen on \(address): \(error)"
  }
}
