import ChatEngine
import ChatModel
import Crypto
import HTTPProtocol
import Observability
import Transport

/// What a store answers to a transfer on one loop.
enum FileMail: Sendable {
  /// What the store knows of the caller and the file.
  case facts(Result<[StoreAnswer], StoreError>)
  /// A piece of the body is written.
  case wrote(FileStoreError?)
  /// The whole body is kept.
  case kept(Result<FileContent, FileStoreError>)
  /// The store knows of the file.
  case recorded(StoreError?)
  /// A piece of a content.
  case piece(Result<[UInt8], FileStoreError>)
}

/// An upload or a download that waits for the stores.
protocol FileTransfer: RequestTransfer {
  /// The number under which the loop's desk knows it.
  var number: UInt64 { get }
  func received(_ mail: FileMail, _ connection: Connection, on loop: isolated EventLoop)
}

/// Takes and gives the files of one loop's clients (`docs/files.md`).
final class FileDesk: MailboxOwner {
  private struct Letter: Sendable {
    let transfer: UInt64
    let mail: FileMail
  }

  let services: FileServices
  let hub: ChatHub
  private let inbox: Mailbox<Letter>
  private var transfers: [UInt64: (transfer: any FileTransfer, connection: UInt64)] = [:]
  private var lastNumber: UInt64 = 0

  init(_ services: FileServices, hub: ChatHub, on loop: isolated EventLoop) {
    self.services = services
    self.hub = hub
    inbox = Mailbox(of: loop)
    loop.own(self)
  }

  /// The paths that are answered here.
  static func answers(_ path: String) -> Bool { path == "/files" || path.hasPrefix("/files/") }

  // MARK: - Requests

  func decide(on request: RequestHead, by route: RequestRoute, of connection: Connection) -> RequestDecision {
    let settings = hub.services.reloadable
    let origins = OriginPolicy(isLoopbackOnly: hub.services.isLoopbackOnly, allowed: settings.origins)
    if let refusal = origins.refusal(of: request, by: route) { return .respond(refusal) }
    let shares = CrossOriginAccess(request)
    switch (request.method, request.path) {
    case ("OPTIONS", _): return .respond(shares.preflight)
    case ("POST", "/files"): return upload(request, shares, settings, connection)
    case ("GET", let path) where path != "/files", ("HEAD", let path) where path != "/files":
      return download(request, String(path.dropFirst("/files/".count)), shares, connection)
    case (_, "/files"): return .respond(shares.add(to: Self.wrongMethod("POST, OPTIONS")))
    case (_, _): return .respond(shares.add(to: Self.wrongMethod("GET, HEAD, OPTIONS")))
    }
  }

  private static func wrongMethod(_ allowed: String) -> HTTPResponse {
    .text(405, "Only \(allowed) are answered here", fields: [HeaderField("Allow", allowed)])
  }

  private func upload(
    _ request: RequestHead, _ shares: CrossOriginAccess, _ settings: ReloadableSettings, _ connection: Connection
  ) -> RequestDecision {
    let answer = shares.add
    guard !hub.services.monitoring.isDraining else { return .respond(answer(.restarting)) }
    guard let query = QueryItems(request.query ?? "") else { return .respond(answer(FileAnswers.badQuery)) }
    switch caller(FileCredential(request, query), connection) {
    case .failure(let refusal): return .respond(answer(refusal.response))
    case .success(let caller):
      do throws(UploadRequest.Refusal) {
        let wanted = try UploadRequest(request, query, services.settings)
        let upload = FileUpload(wanted, by: caller, shares, at: self)
        return begin(upload, asking: [.users([caller.user]), .fileBytes(of: caller.user)], of: connection)
      } catch { return .respond(answer(error.response)) }
    }
  }

  private func download(_ request: RequestHead, _ name: String, _ shares: CrossOriginAccess, _ connection: Connection) -> RequestDecision {
    guard let query = QueryItems(request.query ?? "") else { return .respond(shares.add(to: FileAnswers.badQuery)) }
    switch caller(FileCredential(request, query), connection) {
    case .failure(let refusal): return .respond(shares.add(to: refusal.response))
    case .success(let caller):
      guard let id = FileID(name) else { return .respond(shares.add(to: FileAnswers.missing)) }
      let download = FileDownload(request, by: caller, shares, isShared: !hub.services.reloadable.origins.isEmpty, at: self)
      let file = StoreQuery.file(id, for: caller.isApplication ? nil : caller.user)
      return begin(download, asking: [.users([caller.user]), file], of: connection)
    }
  }

  /// Why nobody is known.
  private struct Refusal: Error { let response: HTTPResponse }

  private func caller(_ credential: FileCredential, _ connection: Connection) -> Result<FileCaller, Refusal> {
    let token: String
    switch credential {
    case .none: return .failure(Refusal(response: FileAnswers.noToken))
    case .refused(let response): return .failure(Refusal(response: response))
    case .header(let text), .query(let text): token = text
    }
    hub.context.work.token()
    var result = services.tokens.verify(token, roles: Set(hub.services.reloadable.roles.keys), now: WallClock.now() / 1000)
    if case .failure(let problem) = result, problem.reason == .signature, case .header = credential { result = hub.verify(token) }
    switch result {
    case .success(let claims): return .success(FileCaller(claims))
    case .failure(let problem):
      hub.tokenRefused(problem, of: connection)
      return .failure(Refusal(response: .text(401, problem.sentence, fields: [.bearerChallenge])))
    }
  }

  // MARK: - Transfers

  /// Draws the number of a transfer.
  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private func begin(_ transfer: any FileTransfer, asking queries: [StoreQuery], of connection: Connection) -> RequestDecision {
    transfers[transfer.number] = (transfer, connection.number)
    services.store.read(queries, done: answer(to: transfer.number) { .facts($0) })
    return .transfer(transfer)
  }

  /// Makes what a store calls when it has done something for a transfer.
  func answer<Value: Sendable>(to transfer: UInt64, _ mail: @escaping @Sendable (Value) -> FileMail) -> @Sendable (Value) -> Void {
    { [inbox] value in inbox.post(Letter(transfer: transfer, mail: mail(value))) }
  }

  /// A transfer is over.
  func forget(_ transfer: UInt64) { transfers[transfer] = nil }

  func mailArrived(on loop: isolated EventLoop) {
    for letter in inbox.take(on: loop) {
      guard let known = transfers[letter.transfer], let connection = hub.context.connections[known.connection] else { continue }
      known.transfer.received(letter.mail, connection, on: loop)
    }
  }
}
