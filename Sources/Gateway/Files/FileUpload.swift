import ChatEngine
import ChatModel
import Crypto
import Observability
import Transport

/// One upload: who it is and whether there is room is asked first, then the body goes to the disk piece by piece, then the store hears of it.
final class FileUpload: FileTransfer {
  private enum State {
    /// The store is asked about the caller. Next: `receiving`, `over`.
    case asking
    /// The body comes. Next: `keeping`, `over`.
    case receiving(any IncomingFile, UploadAdmission.Place)
    /// The last byte came, and the disk has to confirm it. Next: `recording`, `over`.
    case keeping(any IncomingFile, UploadAdmission.Place)
    /// The store has to confirm it. Next: `over`.
    case recording(UploadAdmission.Place, FileRecord)
    /// Answered, or nobody waits any more. Terminal.
    case over
  }

  let number: UInt64
  private let request: UploadRequest
  private let caller: FileCaller
  private let shares: CrossOriginAccess
  private let desk: FileDesk
  private var state = State.asking
  private var outcome = FileCounts.Outcome.broken

  init(_ request: UploadRequest, by caller: FileCaller, _ shares: CrossOriginAccess, at desk: FileDesk) {
    self.request = request
    self.caller = caller
    self.shares = shares
    self.desk = desk
    number = desk.nextNumber()
  }

  // MARK: - Of the connection

  func bodyArrived(_ bytes: UnsafeRawBufferPointer, isLast: Bool, from connection: Connection, on loop: isolated EventLoop) {
    guard case .receiving(let incoming, let place) = state else { return }
    connection.context.metrics.files.move(.upload, bytes: bytes.count)
    incoming.write(Array(bytes), done: desk.answer(to: number) { .wrote($0) })
    guard isLast else { return }
    state = .keeping(incoming, place)
    incoming.finish(done: desk.answer(to: number) { .kept($0) })
  }

  func roomCame(_ connection: Connection, on loop: isolated EventLoop) {}

  func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) {
    switch state {
    case .asking, .over: break
    case .receiving(let incoming, let place), .keeping(let incoming, let place):
      incoming.cancel()
      desk.services.end(place)
    // What is on its way to the store is settled when that answers.
    case .recording(let place, _): desk.services.end(place)
    }
    state = .over
    connection.context.metrics.files.end(.upload, outcome)
    desk.forget(number)
  }

  // MARK: - Of the stores

  func received(_ mail: FileMail, _ connection: Connection, on loop: isolated EventLoop) {
    switch (mail, state) {
    case (.facts(let result), .asking): learned(result, connection, on: loop)
    case (.wrote(nil), .receiving): connection.takeMore(on: loop)
    case (.wrote(let error?), .receiving): fail(error, connection, on: loop)
    case (.kept(.success(let content)), .keeping(let incoming, let place)): record(content, incoming, place)
    case (.kept(.failure(let error)), .keeping): fail(error, connection, on: loop)
    case (.recorded(let error), .recording(_, let record)): recorded(record, error, connection, on: loop)
    case (.facts, _), (.wrote, _), (.kept, _), (.recorded, _), (.piece, _): break
    }
  }

  private func learned(_ result: Result<[StoreAnswer], StoreError>, _ connection: Connection, on loop: isolated EventLoop) {
    guard case .success(let answers) = result, answers.count == 2, case .users(let users) = answers[0], case .bytes(let used) = answers[1]
    else { return answer(.unavailable, .failed, connection, on: loop) }
    let record = users.first { $0.id == caller.user }
    guard !caller.isRevoked(record) else { return answer(FileAnswers.revoked, .refused, connection, on: loop) }
    guard caller.maySend(record, desk.hub.services.reloadable) else { return answer(FileAnswers.forbidden, .refused, connection, on: loop) }
    let place = UploadAdmission.Place(user: caller.user, network: ClientNetwork(connection.client), bytes: Int64(request.length))
    if let refusal = desk.services.begin(place, usedByUser: used, at: loop.now.milliseconds) {
      return answer(FileAnswers.refusal(refusal), .refused, connection, on: loop)
    }
    state = .receiving(desk.services.files.begin(), place)
    connection.receiveBody(on: loop)
  }

  private func record(_ content: FileContent, _ incoming: any IncomingFile, _ place: UploadAdmission.Place) {
    let record = FileRecord(
      id: FileID(stored: SecureRandom.token()), hash: content.hash, details: request.details(of: content.size, head: content.head),
      uploader: caller.user, createdAt: WallClock.now())
    state = .recording(place, record)
    let answer = desk.answer(to: number) { FileMail.recorded($0) }
    desk.services.store.commit(ChangeSet([.putFile(record)])) { error in
      // Whether anybody still waits or not: until now nothing but this held the content.
      incoming.settle()
      answer(error)
    }
  }

  private func recorded(_ record: FileRecord, _ error: StoreError?, _ connection: Connection, on loop: isolated EventLoop) {
    switch error?.kind {
    case nil: answer(FileAnswers.created(record), .done, connection, on: loop)
    case .full?: answer(FileAnswers.diskFull, .failed, connection, on: loop)
    case .locked?, .newerVersion?, .corrupt?, .inputOutput?, .closed?, .constraint?:
      answer(.unavailable, .failed, connection, on: loop)
    }
  }

  private func fail(_ error: FileStoreError, _ connection: Connection, on loop: isolated EventLoop) {
    switch error {
    case .full: answer(FileAnswers.diskFull, .failed, connection, on: loop)
    case .missing, .inputOutput: answer(FileAnswers.failed, .failed, connection, on: loop)
    }
  }

  private func answer(_ response: HTTPResponse, _ outcome: FileCounts.Outcome, _ connection: Connection, on loop: isolated EventLoop) {
    self.outcome = outcome
    connection.respond(shares.add(to: response), on: loop)
  }
}
