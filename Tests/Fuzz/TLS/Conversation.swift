import FuzzSupport
import TLS

/// A client and a server, and somebody between them who may change what passes.
struct Conversation {
  private var client: End
  private var server: End
  private var isTouched = false
  private var isClosed = false

  init(isOld: Bool, room: Int) {
    client = End(isOld ? Contexts.oldClient : Contexts.client, room: room)
    server = End(Contexts.server, room: room)
    client.receive([])
  }

  mutating func step(_ what: UInt8, _ one: UInt8, _ other: UInt8) {
    let number = Int(one) << 8 | Int(other)
    switch what & 15 {
    case 0: client.send(Self.text(number))
    case 1: server.send(Self.text(number))
    case 2, 3, 4: carry(\.client, to: \.server, number)
    case 5, 6, 7: carry(\.server, to: \.client, number)
    case 8, 9: touch(what & 1 == 0 ? \.client : \.server) { $0[number % $0.count] ^= what & 0xF0 | 1 }
    case 10, 11: touch(what & 1 == 0 ? \.client : \.server) { $0.removeSubrange((number % $0.count)...) }
    case 12, 13: touch(what & 1 == 0 ? \.client : \.server) { $0 += $0.prefix(number) }
    case 14: close(\.client)
    default: close(\.server)
    }
    check()
  }

  /// Carries what waits, until nobody has anything to say.
  mutating func finish() {
    while !client.output.isEmpty || !server.output.isEmpty {
      carry(\.client, to: \.server, .max)
      carry(\.server, to: \.client, .max)
    }
    check()
    guard !isTouched else { return }
    require(client.session.isEstablished && server.session.isEstablished, "undisturbed they agree: \(client.state) \(server.state)")
    requireEqual(client.session.version, server.session.version, "on a version")
    guard !isClosed else { return }
    require(server.plaintext == client.sent && client.plaintext == server.sent, "all that was sent arrives")
  }

  /// Whatever happened on the way, an end takes nothing for the other's word that is not.
  private func check() {
    require(client.sent.starts(with: server.plaintext) && server.sent.starts(with: client.plaintext), "what arrives was sent")
  }

  private mutating func carry(_ from: WritableKeyPath<Conversation, End>, to: WritableKeyPath<Conversation, End>, _ count: Int) {
    let bytes = Array(self[keyPath: from].output.prefix(count))
    self[keyPath: from].output.removeFirst(bytes.count)
    if !bytes.isEmpty { self[keyPath: to].receive(bytes) }
  }

  private mutating func touch(_ end: WritableKeyPath<Conversation, End>, _ change: (inout [UInt8]) -> Void) {
    guard !self[keyPath: end].output.isEmpty else { return }
    isTouched = true
    change(&self[keyPath: end].output)
  }

  private mutating func close(_ end: WritableKeyPath<Conversation, End>) {
    isClosed = true
    self[keyPath: end].close()
  }

  private static func text(_ count: Int) -> [UInt8] { (0..<count % 40_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) } }
}
