import ChatEngine
import ChatModel

/// An enumeration that a column holds as a small number.
///
/// The numbers are part of the file format: they never change.
protocol StoredCode: CaseIterable {
  /// The number in the file.
  var stored: Int64 { get }
}

extension StoredCode {
  /// Reads the next column.
  init(from statement: Statement) throws(StoreError) {
    let number = statement.integer()
    guard let value = Self.allCases.first(where: { $0.stored == number }) else { throw .badRow("a \(Self.self)") }
    self = value
  }
}

extension ConversationType: StoredCode {
  var stored: Int64 {
    switch self {
    case .direct: 1
    case .group: 2
    case .public: 3
    case .unknown: 4
    }
  }
}

extension Access: StoredCode {
  var stored: Int64 {
    switch self {
    case .read: 1
    case .readWrite: 2
    }
  }
}

extension Notify: StoredCode {
  var stored: Int64 {
    switch self {
    case .always: 1
    case .never: 2
    case .mentionsOnly: 3
    }
  }
}

extension PushGateway: StoredCode {
  var stored: Int64 {
    switch self {
    case .fcm: 1
    case .apns: 2
    case .apns2: 3
    }
  }
}

extension PushEnvironment: StoredCode {
  var stored: Int64 {
    switch self {
    case .development: 1
    case .production: 2
    }
  }
}

extension MessageType: StoredCode {
  var stored: Int64 {
    switch self {
    case .user: 1
    case .system: 2
    }
  }
}

extension MessageOrigin: StoredCode {
  var stored: Int64 {
    switch self {
    case .web: 1
    case .rest: 2
    case .import: 3
    case .bot: 4
    }
  }
}
