import ChatEngine
import ChatModel
import HTTPProtocol
import Observability
import Transport

/// One download: the store says whether the file is for the caller, then it is read and sent piece by piece, the next when the last is with
/// the kernel.
final class FileDownload: FileTransfer {
  private enum State {
    /// The store is asked. Next: `reading`, `over`.
    case asking
    /// A piece is read; nothing is sent before the first one is there. Next: `sending`, `over`.
    case reading(FileRecord, Range<Int64>, from: Int64)
    /// What was read is sent, and the next piece begins there. Next: `reading`, `over`.
    case sending(FileRecord, Range<Int64>, next: Int64)
    /// Answered, or nobody waits any more. Terminal.
    case over
  }

  let number: UInt64
  private let request: RequestHead
  private let caller: FileCaller
  private let shares: CrossOriginAccess
  /// Whether pages of other origins are let in.
  private let isShared: Bool
  private let desk: FileDesk
  private var state = State.asking
  private var outcome = FileCounts.Outcome.broken

  /// Bytes that are read at once, and may wait on a connection.
  private static let pieceBytes: Int64 = 131_072

  init(_ request: RequestHead, by caller: FileCaller, _ shares: CrossOriginAccess, isShared: Bool, at desk: FileDesk) {
    self.request = request
    self.caller = caller
    self.shares = shares
    self.isShared = isShared
    self.desk = desk
    number = desk.nextNumber()
  }

  // MARK: - Of the connection

  func bodyArrived(_ bytes: UnsafeRawBufferPointer, isLast: Bool, from connection: Connection, on loop: isolated EventLoop) {}

  func roomCame(_ connection: Connection, on loop: isolated EventLoop) {
    guard case .sending(let record, let range, let next) = state else { return }
    guard next < range.upperBound else {
      outcome = .done
      return connection.endAnswer(on: loop)
    }
    read(record, range, from: next)
  }

  func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) {
    state = .over
    connection.context.metrics.files.end(.download, outcome)
    desk.forget(number)
  }

  // MARK: - Of the stores

  func received(_ mail: FileMail, _ connection: Connection, on loop: isolated EventLoop) {
    switch (mail, state) {
    case (.facts(let result), .asking): learned(result, connection, on: loop)
    case (.piece(let result), .reading(let record, let range, let offset)): took(result, record, range, offset, connection, on: loop)
    case (.facts, _), (.wrote, _), (.kept, _), (.recorded, _), (.piece, _): break
    }
  }

  private func learned(_ result: Result<[StoreAnswer], StoreError>, _ connection: Connection, on loop: isolated EventLoop) {
    guard case .success(let answers) = result, answers.count == 2, case .users(let users) = answers[0], case .file(let file) = answers[1]
    else { return answer(.unavailable, .failed, connection, on: loop) }
    guard !caller.isRevoked(users.first { $0.id == caller.user }) else {
      return answer(FileAnswers.revoked, .refused, connection, on: loop)
    }
    guard let file else { return answer(FileAnswers.missing, .refused, connection, on: loop) }
    if request.hasToken("if-none-match", FileAnswers.tag(of: file)) {
      return answer(FileAnswers.unchanged(file), .done, connection, on: loop)
    }
    // A range of another version is no use (RFC 9110 §13.1.5); there is one version only.
    let wanted = request["if-range"].map { $0 == FileAnswers.tag(of: file) } ?? true
    switch ByteRange(wanted ? request["range"] : nil, size: file.details.size) {
    case .unsatisfiable: answer(FileAnswers.outOfRange(file.details.size), .refused, connection, on: loop)
    case .whole: give(file, 0..<file.details.size, connection, on: loop)
    case .part(let range): give(file, range, connection, on: loop)
    }
  }

  private func give(_ file: FileRecord, _ range: Range<Int64>, _ connection: Connection, on loop: isolated EventLoop) {
    guard request.method == "HEAD" else { return read(file, range, from: range.lowerBound) }
    state = .sending(file, range, next: range.upperBound)
    begin(file, range, connection, on: loop)
  }

  private func read(_ file: FileRecord, _ range: Range<Int64>, from offset: Int64) {
    state = .reading(file, range, from: offset)
    let count = Int(min(Self.pieceBytes, range.upperBound - offset))
    desk.services.files.read(file.hash, at: offset, count: count, done: desk.answer(to: number) { .piece($0) })
  }

  private func took(
    _ result: Result<[UInt8], FileStoreError>, _ file: FileRecord, _ range: Range<Int64>, _ offset: Int64, _ connection: Connection,
    on loop: isolated EventLoop
  ) {
    let isFirst = offset == range.lowerBound
    guard case .success(let bytes) = result, !bytes.isEmpty else {
      outcome = .failed
      // Behind the head nothing can be said any more.
      return isFirst ? answer(FileAnswers.failed, .failed, connection, on: loop) : connection.end(.internalError, on: loop)
    }
    state = .sending(file, range, next: offset + Int64(bytes.count))
    connection.context.metrics.files.move(.download, bytes: bytes.count)
    if isFirst { begin(file, range, connection, on: loop) }
    connection.sendPiece(bytes, on: loop)
  }

  private func begin(_ file: FileRecord, _ range: Range<Int64>, _ connection: Connection, on loop: isolated EventLoop) {
    let head = shares.add(to: FileAnswers.content(file, range, isShared: isShared))
    connection.beginAnswer(head, length: range.upperBound - range.lowerBound, on: loop)
  }

  private func answer(_ response: HTTPResponse, _ outcome: FileCounts.Outcome, _ connection: Connection, on loop: isolated EventLoop) {
    self.outcome = outcome
    connection.respond(shares.add(to: response), on: loop)
  }
}
