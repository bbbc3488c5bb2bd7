import Locks

/// Keeps the context of a server up to date with its certificate files.
///
/// It reads files, so it is told what to do from a queue on which waiting does no harm; loops take the present context and never wait for more
/// than the exchange of a reference. A new certificate that cannot be used leaves the old one as it is. One thread at a time calls `check` and
/// `reload`; what is told in between may be asked by any.
package final class CertificateReloader: Sendable {
  /// What became of a reload.
  package enum Outcome: Equatable, Sendable {
    /// New handshakes show this certificate.
    case replaced(CertificateSummary)
    /// The old one stays, because the new one cannot be used.
    case refused(CredentialProblem)
  }

  private struct State: Sendable {
    var files: CertificateFiles
    var machine: ReloadMachine
    var context: TLSContext
    var failures: UInt64 = 0
  }

  private let tickets: TicketKeys
  private let state: Lock<State>

  /// Reads the files for the first time.
  ///
  /// - Parameter now: Unix seconds.
  package init(_ files: CertificateFiles, now: Int64) throws(CredentialProblem) {
    let marks = files.marks()
    tickets = TicketKeys(now: now)
    let context = try TLSContext(serving: files.read(), tickets: tickets)
    state = Lock(State(files: files, machine: ReloadMachine(read: marks), context: context))
  }

  /// What new handshakes use.
  package var context: TLSContext { state.withLock { $0.context } }

  /// How many reloads were refused.
  package var failures: UInt64 { state.withLock { $0.failures } }

  /// Looks at the files, and reads them where they changed; also keeps the keys of tickets fresh.
  ///
  /// To be called every few seconds.
  ///
  /// - Parameter now: Unix seconds.
  /// - Returns: What became of a reload; nil where none was due.
  package func check(now: Int64) -> Outcome? {
    tickets.rotate(now: now)
    let marks = state.withLock { $0.files }.marks()
    switch state.withLock({ $0.machine.looked(marks) }) {
    case .nothing: return nil
    case .read: return reload()
    }
  }

  /// Reads the files now.
  ///
  /// - Parameter files: The files to read from now on where they are others.
  package func reload(_ files: CertificateFiles? = nil) -> Outcome {
    let files = files ?? state.withLock { $0.files }
    let before = files.marks()
    let result = Result { () throws(CredentialProblem) in try TLSContext(serving: files.read(), tickets: tickets) }
    let after = files.marks()
    return state.withLock { state in
      // Other files that are refused leave those that are watched as they were.
      if files == state.files { state.machine.read(before: before, after: after) }
      switch before == after ? result : .failure(.unstable) {
      case .success(let context):
        if files != state.files { state.machine = ReloadMachine(read: after) }
        state.files = files
        state.context = context
        return context.certificate.map { .replaced($0) } ?? .refused(.noCertificate)
      case .failure(let problem):
        state.failures &+= 1
        return .refused(problem)
      }
    }
  }
}
