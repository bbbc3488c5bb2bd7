/// The place of a message in its conversation: the conversation's revision at which it was sent, from 1 on.
///
/// Numbers grow strictly within a conversation and are never used again.
package typealias MessageNumber = Int64

/// The id of a message: opaque to clients, sorts as text in its conversation's order.
///
/// Eight letters are drawn from the conversation's id, so that an id of another conversation is recognised without a look
/// into the store; the rest is the number.
package struct MessageID: Hashable, Sendable, CustomStringConvertible {
  /// The id as it stands on the wire: 8 + 13 characters of `0-9a-v`.
  package let text: String
  /// The message's place in its conversation.
  package let number: MessageNumber

  /// Makes the id of a message of a conversation.
  package init(_ number: MessageNumber, in conversation: ConversationID) {
    self.number = number
    var letters = Self.tag(of: conversation)
    letters.append(contentsOf: Self.letters(of: UInt64(bitPattern: number), count: Self.numberLetters))
    text = String(decoding: letters, as: UTF8.self)
  }

  /// Reads an id; nil when it is not an id of a message of this conversation.
  package init?(_ text: String, in conversation: ConversationID) {
    let letters = Array(text.utf8)
    guard letters.count == Self.tagLetters + Self.numberLetters else { return nil }
    guard letters.prefix(Self.tagLetters).elementsEqual(Self.tag(of: conversation)) else { return nil }
    var value: UInt64 = 0
    for letter in letters.dropFirst(Self.tagLetters) {
      guard let digit = Self.alphabet.firstIndex(of: letter) else { return nil }
      guard value >> 58 == 0 else { return nil }
      value = value << 5 | UInt64(digit)
    }
    guard let number = MessageNumber(exactly: value), number > 0 else { return nil }
    self.text = text
    self.number = number
  }

  /// An id that no message of the conversation has, as a client named it: its number is 0, and numbers begin at 1.
  package static func unknown(_ text: String) -> MessageID { MessageID(text: text, number: 0) }

  private init(text: String, number: MessageNumber) {
    self.text = text
    self.number = number
  }

  package var description: String { text }

  /// The length of every id.
  package static let letters = tagLetters + numberLetters

  private static let tagLetters = 8
  private static let numberLetters = 13
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)

  private static func letters(of value: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { alphabet[Int(value >> UInt64(5 * (count - 1 - $0)) & 31)] }
  }

  /// FNV-1a: fast and stable across restarts; nothing depends on it being hard to guess.
  private static func tag(of conversation: ConversationID) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in conversation.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return letters(of: hash >> 24, count: tagLetters)
  }
}
