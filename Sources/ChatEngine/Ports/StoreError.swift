package import ChatModel

/// Why the store could not do what it was asked; nothing of the change was kept.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The closed list of reasons.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No room on the disk.
    case full
    /// Another program holds the files, or the folder cannot be written.
    case locked
    /// The file was written by a newer version of the program.
    case newerVersion
    /// The file is damaged, or is none of ours.
    case corrupt
    /// Reading or writing failed.
    case inputOutput
    /// The store was closed.
    case closed
    /// A row breaks a rule of the schema: a fault of ours, or a race with another node.
    case constraint
  }

  package let kind: Kind
  /// The library's own code, for the log.
  package let code: Int32
  /// What happened and what can be done about it, for people.
  package let sentence: String

  package init(_ kind: Kind, code: Int32, _ sentence: String) {
    self.kind = kind
    self.code = code
    self.sentence = sentence
  }

  package var description: String { sentence }
}

extension ChatError {
  /// The answer to a call that the store could not keep.
  ///
  /// The store's own sentence is for the log: it may name files.
  package static func unavailable(_ error: StoreError) -> ChatError {
    switch error.kind {
    case .full: ChatError(.unavailable, "The disk of the server is full; nothing was changed", retryAfterMs: 5000)
    case .locked, .newerVersion, .corrupt, .inputOutput, .closed, .constraint: .unavailable
    }
  }
}
