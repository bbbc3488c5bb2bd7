import Configuration
import Glibc
import Transport

/// `parley health`: asks a gateway whether it is ready; for the container's HEALTHCHECK.
enum HealthCommand {
  /// How long an answer may take, milliseconds.
  private static let timeoutMs: Int32 = 3_000

  static func run(url: String?) -> ExitCode {
    do throws(StartFailure) {
      let target = if let url { try HealthTarget(url: url) } else { try HealthTarget.configured() }
      let status = try ask(target)
      guard status == 200 else { throw StartFailure("not ready: the gateway answered \(status)") }
      return StandardStreams.result("ready")
    } catch {
      StandardStreams.error(error.sentence)
      return .failure
    }
  }

  private static func ask(_ target: HealthTarget) throws(StartFailure) -> Int {
    do throws(SocketError) {
      let descriptor = try Socket.connect(to: target.address)
      defer { Socket.close(descriptor) }
      guard wait(descriptor, for: CInt(POLLOUT)) else { throw SocketError(.connect, code: ETIMEDOUT) }
      if let error = Socket.pendingError(descriptor) { throw error }
      let request = Array("GET \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\nConnection: close\r\n\r\n".utf8)
      _ = request.withUnsafeBytes { Socket.send(descriptor, $0) }
      return try status(from: descriptor)
    } catch { throw StartFailure("not ready: \(error)") }
  }

  /// The number in `HTTP/1.1 200 OK`.
  private static func status(from descriptor: CInt) throws(SocketError) -> Int {
    var line: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 512)
    while line.count < 12 {
      guard wait(descriptor, for: CInt(POLLIN)) else { throw SocketError(.receive, code: ETIMEDOUT) }
      switch piece.withUnsafeMutableBytes({ Socket.receive(descriptor, into: $0) }) {
      case .bytes(let count): line += piece[..<count]
      case .wouldBlock: continue
      case .endOfStream: throw SocketError(.receive, code: ECONNRESET)
      case .failed(let error): throw error
      }
    }
    return Int(String(decoding: line[9..<12], as: UTF8.self)) ?? 0
  }

  private static func wait(_ descriptor: CInt, for events: CInt) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return Glibc.poll(&poll, 1, timeoutMs) == 1
  }
}

/// Where readiness is asked.
struct HealthTarget: Equatable {
  let address: SocketAddress
  let host: String
  let path: String

  /// Reads `http://host:port/path`; the path may be left out.
  init(url: String) throws(StartFailure) {
    let scheme = "http://"
    guard url.hasPrefix(scheme) else { throw StartFailure("--url must begin with http://") }
    let rest = url.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" }
    let path = rest[host.endIndex...]
    let withPort = host.contains(":") && !host.hasSuffix("]") ? String(host) : "\(host):80"
    do throws(SocketAddressError) { address = try SocketAddress.parse(withPort) } catch { throw StartFailure("--url: \(error)") }
    self.host = String(host)
    self.path = path.isEmpty ? "/readyz" : String(path)
  }

  private init(address: SocketAddress) {
    self.address = address
    host = "localhost"
    path = "/readyz"
  }

  /// The first address that the configuration listens on, asked from this machine.
  static func configured() throws(StartFailure) -> HealthTarget {
    switch Surroundings.settings(file: nil, rules: []) {
    case .failure(let problems): throw StartFailure(problems.description)
    case .success(let settings):
      guard let first = settings.server.listen.first else { throw StartFailure("server.listen is empty") }
      do throws(SocketAddressError) { return HealthTarget(address: try SocketAddress.parse(first).reachable) } catch {
        throw StartFailure("server.listen: \(error)")
      }
    }
  }
}

extension SocketAddress {
  /// The address by which this machine reaches a listener: loopback for one that listens everywhere.
  fileprivate var reachable: SocketAddress {
    let text = description
    do throws(SocketAddressError) {
      if text.hasPrefix("0.0.0.0:") { return try .parse("127.0.0.1:" + text.dropFirst("0.0.0.0:".count)) }
      if text.hasPrefix("[::]:") { return try .parse("[::1]:" + text.dropFirst("[::]:".count)) }
    } catch { return self }
    return self
  }
}
