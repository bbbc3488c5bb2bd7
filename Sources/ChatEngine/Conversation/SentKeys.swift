import ChatModel

/// What the `clientMessageId`s of late led to, so that a repeated send is recognised.
struct SentKeys {
  /// Names a send: unique for its sender in its conversation.
  struct Name: Hashable {
    let sender: UserID
    let clientMessageId: String
  }

  /// The sends that this machine decided itself; the oldest gives way.
  private var decided: [Name: SentMessage] = [:]
  private var order: [Name] = []
  private var next = 0
  /// What the store answered for sends that wait; nil where the name was not used.
  private var answers: [Name: SentMessage?] = [:]

  /// How many decided sends are remembered: more than a batch holds, so that one batch knows all of its own.
  static let capacity = 512

  /// Knows nothing.
  init() {}

  /// Whether it is known what the name led to.
  func settles(_ name: Name) -> Bool { decided[name] != nil || answers[name] != nil }

  /// The message that was sent under the name.
  subscript(name: Name) -> SentMessage? { decided[name] ?? answers[name] ?? nil }

  /// Takes the store's answer.
  mutating func take(_ name: Name, _ answer: SentMessage?) { answers[name] = .some(answer) }

  /// Remembers a send that was decided.
  mutating func remember(_ name: Name, _ message: SentMessage) {
    answers[name] = nil
    decided[name] = message
    if order.count < Self.capacity {
      order.append(name)
    } else {
      decided[order[next]] = nil
      order[next] = name
    }
    next = (next + 1) % Self.capacity
  }

  /// Forgets the store's answers when no send waits for them.
  mutating func dropAnswers() { answers.removeAll() }
}

/// A hash of a send's content that stays the same over versions and machines; it is stored.
struct RequestHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Hashes what makes two sends the same request.
  ///
  /// FNV-1a, 64 bits, over the content (`RequestHash+Content`); then `r` and the number of the message it answers, if any; then `c`,
  /// the key and the value of each custom pair. Texts are preceded by their length in bytes. All numbers are 8 bytes, lowest first.
  static func of(_ message: OutgoingMessage) -> Int64 {
    var hash = RequestHash()
    hash.add(message.content)
    if let referenced = message.referenced {
      hash.add(letter: "r")
      hash.add(UInt64(bitPattern: referenced.number))
    }
    for entry in message.custom.entries {
      hash.add(letter: "c")
      hash.add(entry.key)
      hash.add(entry.value)
    }
    return Int64(bitPattern: hash.value)
  }

  private mutating func add(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  mutating func add(letter: Unicode.Scalar) { add(byte: UInt8(truncatingIfNeeded: letter.value)) }

  mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    for byte in text.utf8 { add(byte: byte) }
  }
}
