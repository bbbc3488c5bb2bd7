/// RFC 1951 read as plainly as it can be written: bit by bit, by counting code lengths, and with everything that came out before as its window.
///
/// It is what zlib, as it is driven here, is compared with. A block with BFINAL ends nothing (RFC 7692 §7.2.3.4).
struct PlainInflate {
  /// Why a message is not taken.
  enum Refusal: Error, Equatable {
    case tooLong
    case malformed
  }

  /// How far back a message has referred at most.
  private(set) var farthest = 0
  private var history: [UInt8] = []
  private var start = 0
  private var limit = 0
  private var bytes: [UInt8] = []
  private var place = 0

  /// The next message refers to nothing before it.
  mutating func forget() { history = [] }

  /// Inflates a message without the four bytes that its sender left out; without any byte it counts as an empty one.
  mutating func inflate(_ payload: [UInt8], limit: Int) throws -> [UInt8] {
    if payload.isEmpty { return [] }
    (bytes, place, start, self.limit) = (payload + [0, 0, 0xFF, 0xFF], 0, history.count, limit)
    while place < bytes.count * 8 {
      let isFinal = try bits(1) == 1
      try block(try bits(2))
      if isFinal {
        // What stands behind the last block begins with a byte of its own.
        place = (place + 7) / 8 * 8
        if place == payload.count * 8 { break }
      }
    }
    return Array(history[start...])
  }

  private mutating func bits(_ count: Int) throws -> Int {
    var number = 0
    for index in 0..<count {
      guard place < bytes.count * 8 else { throw Refusal.malformed }
      number |= Int(bytes[place / 8] >> UInt8(place % 8) & 1) << index
      place += 1
    }
    return number
  }

  private mutating func put(_ byte: UInt8) throws {
    guard history.count - start < limit else { throw Refusal.tooLong }
    history.append(byte)
  }

  private mutating func block(_ type: Int) throws {
    switch type {
    case 0:
      place = (place + 7) / 8 * 8
      let length = try bits(16)
      guard try bits(16) == 0xFFFF - length else { throw Refusal.malformed }
      for _ in 0..<length { try put(UInt8(try bits(8))) }
    case 1:
      try symbols(Code.fixed.literals, Code.fixed.distances)
    case 2:
      let (lengths, distances) = try codes()
      try symbols(lengths, distances)
    default: throw Refusal.malformed
    }
  }

  // MARK: - Codes

  /// A Huffman code by the lengths of its words (§3.2.2).
  private struct Code {
    /// How many words there are of each length.
    var counts = Array(repeating: 0, count: 16)
    /// The symbols in the order of their words.
    var symbols: [Int] = []
    /// How many words of 15 bits are left over; below zero there are too many.
    var left = 1

    init(_ lengths: [Int]) {
      for length in lengths where length > 0 { counts[length] += 1 }
      for count in counts[1...] { left = 2 * left - count }
      symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }

    /// The codes of §3.2.6.
    static let fixed = (
      literals: Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }), distances: Code(Array(repeating: 5, count: 32))
    )

    /// Whether no word is left over: with one word of one bit, or with none at all, some may be.
    var isWhole: Bool { left == 0 }
    var isSingle: Bool { symbols.isEmpty || symbols.count == 1 && counts[1] == 1 }
    var isOver: Bool { left < 0 }
  }

  private mutating func symbol(_ code: Code) throws -> Int {
    var (word, first, index) = (0, 0, 0)
    for length in 1...15 {
      word = word * 2 + (try bits(1))
      if word - first < code.counts[length] { return code.symbols[index + word - first] }
      index += code.counts[length]
      first = (first + code.counts[length]) * 2
    }
    throw Refusal.malformed
  }

  /// The two codes of a block (§3.2.7).
  private mutating func codes() throws -> (Code, Code) {
    let (literals, distances) = (try bits(5) + 257, try bits(5) + 1)
    let count = try bits(4) + 4
    guard literals <= 286, distances <= 30 else { throw Refusal.malformed }
    var lengths = Array(repeating: 0, count: 19)
    for index in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) { lengths[index] = try bits(3) }
    let code = Code(lengths)
    guard code.isWhole else { throw Refusal.malformed }
    var all: [Int] = []
    while all.count < literals + distances {
      switch try symbol(code) {
      case 16:
        guard let last = all.last else { throw Refusal.malformed }
        all += Array(repeating: last, count: try bits(2) + 3)
      case 17: all += Array(repeating: 0, count: try bits(3) + 3)
      case 18: all += Array(repeating: 0, count: try bits(7) + 11)
      case let length: all.append(length)
      }
    }
    guard all.count == literals + distances, all[256] > 0 else { throw Refusal.malformed }
    let made = (Code(Array(all[..<literals])), Code(Array(all[literals...])))
    for code in [made.0, made.1] where code.isOver || !code.isWhole && !code.isSingle { throw Refusal.malformed }
    return made
  }

  // MARK: - Symbols

  private static let lengths: [(base: Int, extra: Int)] =
    zip(
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258],
      [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    ).map { ($0, $1) }

  private mutating func symbols(_ literals: Code, _ distances: Code) throws {
    while true {
      let symbol = try symbol(literals)
      if symbol == 256 { return }
      guard symbol > 256 else {
        try put(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengths.count else { throw Refusal.malformed }
      let (base, extra) = Self.lengths[symbol - 257]
      try copy(base + (try bits(extra)), distances)
    }
  }

  private mutating func copy(_ length: Int, _ code: Code) throws {
    let symbol = try symbol(code)
    guard symbol < 30 else { throw Refusal.malformed }
    // §3.2.5: two symbols for each number of extra bits.
    let extra = max(0, symbol / 2 - 1)
    let base = symbol < 2 ? symbol + 1 : (2 + symbol % 2) << extra + 1
    let distance = base + (try bits(extra))
    guard distance <= history.count else { throw Refusal.malformed }
    farthest = max(farthest, distance)
    for _ in 0..<length { try put(history[history.count - distance]) }
  }
}
