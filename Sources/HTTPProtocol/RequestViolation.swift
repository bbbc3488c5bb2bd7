/// A request that breaks HTTP/1.1, with the status that answers it.
package struct RequestViolation: Error, Equatable, Sendable {
  /// What is wrong.
  package enum Reason: Equatable, Sendable {
    /// The method is not a token: also what TLS on a plain port looks like.
    case badMethod
    /// The method is longer than any that exists.
    case methodTooLong
    /// The target has a byte or a form that RFC 9112 §3.2 does not know.
    case badTarget
    /// The target is over the limit.
    case targetTooLong
    /// The request line ends without a version, as in HTTP/0.9, or is no request line.
    case badRequestLine
    /// Another major version than 1, also the preface of HTTP/2.
    case unsupportedVersion
    /// The head is over the limit.
    case headTooLong
    /// The header section is malformed.
    case field(FieldFault)
    /// No `Host` in HTTP/1.1 (RFC 9112 §3.2).
    case missingHost
    /// More than one `Host`.
    case duplicateHost
    /// `Host` has a byte that no host or port has.
    case badHost
    /// `Content-Length` is no number, or several that differ.
    case badContentLength
    /// `Content-Length` is a number beyond 18 digits.
    case contentTooLarge
    /// `Transfer-Encoding` and `Content-Length`: the two readings are how requests are smuggled (RFC 9112 §6.1).
    case conflictingLengths
    /// A `Transfer-Encoding` in HTTP/1.0, or one that is empty.
    case badTransferEncoding
    /// A transfer coding other than `chunked`.
    case unknownTransferCoding
  }

  /// What is wrong.
  package let reason: Reason

  /// Makes the violation for a reason.
  package init(_ reason: Reason) {
    self.reason = reason
  }

  /// The status of the answer; the connection is closed behind it.
  package var status: Int {
    switch reason {
    case .badMethod, .badTarget, .badRequestLine, .missingHost, .duplicateHost, .badHost, .badContentLength, .conflictingLengths,
      .badTransferEncoding:
      400
    case .contentTooLarge: 413
    case .targetTooLong: 414
    case .headTooLong, .field(.tooManyFields): 431
    case .field: 400
    case .methodTooLong, .unknownTransferCoding: 501
    case .unsupportedVersion: 505
    }
  }

  /// The sentence for the peer.
  package var sentence: String {
    switch reason {
    case .badMethod: "The request does not begin with a method."
    case .methodTooLong: "The method is not known."
    case .badTarget: "The request target is malformed."
    case .targetTooLong: "The request target is too long."
    case .badRequestLine: "The request line is malformed."
    case .unsupportedVersion: "Only HTTP/1.1 is spoken here."
    case .headTooLong: "The request head is too long."
    case .field(let fault): fault.sentence
    case .missingHost: "The Host field is missing."
    case .duplicateHost: "The Host field must be sent once."
    case .badHost: "The Host field is malformed."
    case .badContentLength: "Content-Length must be one number."
    case .contentTooLarge: "Content-Length is too large."
    case .conflictingLengths: "Content-Length and Transfer-Encoding exclude each other."
    case .badTransferEncoding: "Transfer-Encoding is malformed."
    case .unknownTransferCoding: "The only transfer coding known here is chunked."
    }
  }
}
