import ChatModel
import FoundationEssentials
import GatewayProtocol
import Testing

/// Reads texts as a connection does, with small bounds.
struct Frames {
  static let limits = CallLimits(maxMessageBytes: 2 << 20, maxTextLength: 100, maxBatch: 4)
  let decoder: CallDecoder

  init() throws {
    decoder = try #require(CallDecoder(limits: Self.limits))
  }

  func decode(_ text: String) -> ClientFrame { decoder.decode(Array(text.utf8)) }

  /// The one call of a frame with these params; the id is 1.
  func call(_ method: String, _ params: String) throws -> ClientCall {
    let frame = decode(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
    guard case .single(let call) = frame else { throw Unexpected(description: "\(method) \(params.prefix(80)): \(frame)") }
    return call
  }

  /// The request that the params make.
  func request(_ method: String, _ params: String) throws -> ClientRequest { try call(method, params).request.get() }

  /// The error that the params lead to, as `code field`; `ok` when there is none.
  func refusal(_ method: String, _ params: String) throws -> String {
    switch try call(method, params).request {
    case .success: "ok"
    case .failure(let error): "\(error.kind.code) \(error.field ?? "")"
    }
  }

  /// What a connection answers where every call succeeds with nothing to tell.
  func answer(to text: String) -> String? { answer(to: Array(text.utf8)) }

  /// The same for bytes.
  func answer(to text: [UInt8]) -> String? {
    switch decoder.decode(text) {
    case .single(let call): Self.reply(call).map { String(decoding: $0, as: UTF8.self) }
    case .batch(let calls): ServerMessage.batch(of: calls.compactMap(Self.reply)).map { String(decoding: $0, as: UTF8.self) }
    case .refused(let error): String(decoding: ServerMessage.failure(.null, error).encoded, as: UTF8.self)
    case .ignored: nil
    case .invalidUTF8: "1007"
    }
  }

  private static func reply(_ call: ClientCall) -> [UInt8]? {
    call.id.map { ServerMessage(to: $0, call.request.map { _ in CallResult.done }).encoded }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// The tables of the pages in `docs`.
enum Document {
  /// The rows of the table whose head begins with these cells.
  static func rows(below head: [String], in page: String = "protocol.md") throws -> [[String]] {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(path)/docs/\(page)"))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { cells($0).starts(with: head) })
    return lines[start...].dropFirst(2).prefix { $0.hasPrefix("|") }.map(cells)
  }

  private static func cells(_ line: Substring) -> [String] {
    line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
      String($0.replacing("`", with: "").drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}
