/// How important an event is.
package enum LogLevel: UInt8, Sendable, Comparable, CaseIterable {
  /// Something failed that should not.
  case error
  /// Something works and may not for long.
  case warn
  /// What an operator wants to know.
  case info
  /// What a developer wants to know.
  case debug

  /// The word in a line.
  package var word: String {
    switch self {
    case .error: "error"
    case .warn: "warn"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// More important is less.
  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The value of a field of a line.
package enum LogValue: Sendable, Equatable {
  /// A text; never what users write to each other or call themselves or their rooms, and never a token.
  ///
  /// It may be of the client's choice: an id of a user or the host and origin of a request.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// True or false.
  case flag(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// A text.
  package init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// True or false.
  package init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// A key and a value of a line.
package struct LogField: Sendable, Equatable {
  /// A word of ours in lower case.
  package let key: String
  /// Its value.
  package let value: LogValue

  /// A field of a line.
  package init(_ key: String, _ value: LogValue) {
    self.key = key
    self.value = value
  }
}

/// One thing that happened, and one line of the log.
package struct LogEvent: Sendable, Equatable {
  /// Unix milliseconds.
  package let time: Int64
  /// How important it is.
  package let level: LogLevel
  /// What happened, as a word that does not change: `listening`, `closed`.
  package let name: String
  /// A sentence for people; may be empty.
  package let message: String
  /// Details in the order in which they are shown.
  package let fields: [LogField]

  /// Something that happened at a time.
  package init(time: Int64, level: LogLevel, name: String, message: String = "", fields: [LogField] = []) {
    self.time = time
    self.level = level
    self.name = name
    self.message = message
    self.fields = fields
  }
}
