/// Where each key of a JSON5 text stands, which are there twice, and where the text stops being JSON5.
///
/// The decoder tells none of these. It stays the judge of what is JSON5: the mistake found here only says where to look.
struct JSON5Outline {
  /// Where a key stands.
  struct Place: Equatable {
    /// The line, from 1.
    let line: Int
    /// The number of the key in the text, from 0.
    let order: Int
  }

  /// What is wrong at a line, as half a sentence of advice.
  enum Mistake: String, Equatable {
    case comma = "write a comma or the closing bracket"
    case key = "write a key, or in quotes if it is no plain word"
    case colon = "write a colon after the key"
    case value = "write a value"
    case word = "put texts in quotes; without them only numbers, true, false and null are values"
    case bracket = "close each bracket with its own kind"
    case quote = "end the text in quotes in its own line"
    case comment = "end the comment"
    case end = "close what is open; the text ends too early"
    case depth = "nest objects and lists less deeply"
    case rest = "remove what follows the object"
  }

  /// The place of each key by its path; the last one where a key is there twice.
  private(set) var places: [String: Place] = [:]
  /// Keys that were there before, with the line of the repetition.
  private(set) var duplicates: [(path: String, line: Int)] = []
  /// The first thing that the decoder will not take, as far as the scanner sees it.
  private(set) var mistake: (line: Int, what: Mistake)?

  private var bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var keys = 0
  private var containers = [Container(kind: .document, path: "", awaits: .value)]

  /// Deeper than any key is; paths grow with the depth, and a scan must not cost its square.
  private static let maxDepth = 100

  /// Scans a text.
  init(of text: String) {
    bytes = Array(text.utf8)
    while index < bytes.count { step() }
    if containers.count > 1 || containers.last?.awaits == .value { suspect(.end) }
    bytes = []
  }

  private mutating func suspect(_ what: Mistake) {
    if mistake == nil { mistake = (line, what) }
  }

  private mutating func step() {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "/"): return skipComment()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted()
    case UInt8(ascii: "\n"): line += 1
    case UInt8(ascii: "{"): open(.object)
    case UInt8(ascii: "["): open(.list)
    case UInt8(ascii: "}"): close(.object)
    case UInt8(ascii: "]"): close(.list)
    case UInt8(ascii: ","): comma()
    case UInt8(ascii: ":"): colon()
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
    default: return word()
    }
    index += 1
  }
}

// MARK: - Structure

extension JSON5Outline {
  /// Something that is open: the text itself, an object or a list.
  private struct Container {
    enum Kind {
      case document, object, list
    }

    /// What comes next.
    enum Awaits {
      case key, colon, value, separator
    }

    let kind: Kind
    /// Its own path.
    let path: String
    var awaits: Awaits
    /// The number of the item, in a list.
    var item = 0
    /// The key that was read last, in an object.
    var key = ""

    /// The path of the value that comes next.
    var valuePath: String {
      switch kind {
      case .document: ""
      case .object: path.isEmpty ? key : "\(path).\(key)"
      case .list: "\(path)[\(item)]"
      }
    }

    /// The advice where something else came than what it awaits.
    var missing: Mistake {
      switch awaits {
      case .key: .key
      case .colon: .colon
      case .value: .value
      case .separator: kind == .document ? .rest : .comma
      }
    }
  }

  /// Changes the innermost container; the document itself is never taken away.
  private mutating func change(_ body: (inout Container) -> Mistake?) {
    guard var container = containers.popLast() else { return }
    let mistake = body(&container)
    containers.append(container)
    if let mistake { suspect(mistake) }
  }

  private mutating func open(_ kind: Container.Kind) {
    var path = ""
    change { container in
      let mistake = container.awaits == .value ? nil : container.missing
      container.awaits = .separator
      path = container.valuePath
      return mistake
    }
    guard containers.count <= Self.maxDepth else {
      suspect(.depth)
      index = bytes.count
      return
    }
    containers.append(Container(kind: kind, path: path, awaits: kind == .object ? .key : .value))
  }

  private mutating func close(_ kind: Container.Kind) {
    guard containers.count > 1, let container = containers.last, container.kind == kind else { return suspect(.bracket) }
    // A list may end where a value could come, after its bracket or its last comma; an object where a key could.
    if container.awaits == .colon || (kind == .object && container.awaits == .value) { suspect(container.missing) }
    containers.removeLast()
  }

  private mutating func comma() {
    change { container in
      let mistake = container.awaits == .separator && container.kind != .document ? nil : container.missing
      container.awaits = container.kind == .object ? .key : .value
      container.item += 1
      return mistake
    }
  }

  private mutating func colon() {
    change { container in
      let mistake = container.awaits == .colon ? nil : container.missing
      container.awaits = .value
      return mistake
    }
  }

  /// Takes a key or a plain value.
  private mutating func token(_ text: String, isValue: Bool, at line: Int) {
    var key: String?
    change { container in
      switch container.awaits {
      case .key:
        container.key = text
        container.awaits = .colon
        key = container.valuePath
        return nil
      case .value:
        container.awaits = .separator
        return isValue ? nil : .word
      case .colon, .separator: return container.missing
      }
    }
    guard let key else { return }
    if places.updateValue(Place(line: line, order: keys), forKey: key) != nil { duplicates.append((key, line)) }
    keys += 1
  }
}

// MARK: - Tokens

extension JSON5Outline {
  private mutating func skipComment() {
    index += 1
    guard index < bytes.count else { return suspect(.value) }
    if bytes[index] == UInt8(ascii: "/") {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      return
    }
    guard bytes[index] == UInt8(ascii: "*") else { return suspect(.value) }
    index += 1
    var last: UInt8 = 0
    while index < bytes.count, !(last == UInt8(ascii: "*") && bytes[index] == UInt8(ascii: "/")) {
      last = bytes[index]
      if last == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    if index == bytes.count { suspect(.comment) }
    index += 1
  }

  private mutating func quoted() {
    let quote = bytes[index]
    let start = index + 1
    let startLine = line
    var isEscaped = false
    index = start
    while index < bytes.count, isEscaped || bytes[index] != quote {
      if bytes[index] == UInt8(ascii: "\n") {
        if !isEscaped { suspect(.quote) }
        line += 1
      }
      // The carriage return of an escaped line end hands the escape on to the newline.
      isEscaped = isEscaped ? bytes[index] == UInt8(ascii: "\r") : bytes[index] == UInt8(ascii: "\\")
      index += 1
    }
    if index == bytes.count { suspect(.quote) }
    token(String(decoding: bytes[start..<index], as: UTF8.self), isValue: true, at: startLine)
    index += 1
  }

  private mutating func word() {
    let start = index
    let ends = Array("\n{}[],/\"' \t\r:".utf8)
    while index < bytes.count, !ends.contains(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let isNumber = text.utf8.first.map { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) } ?? false
    token(text, isValue: isNumber || ["true", "false", "null", "Infinity", "NaN"].contains(text), at: line)
  }
}
