import Configuration
import Transport

/// `parley health`: asks a gateway whether it is ready; for the container's HEALTHCHECK.
enum HealthCommand {
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
      let channel = try HealthChannel(to: target.address, isSecure: target.isSecure)
      try channel.send(Array("GET \(target.path) HTTP/1.1\r\nHost: \(target.host)\r\nConnection: close\r\n\r\n".utf8))
      return try status(from: channel)
    } catch { throw StartFailure("not ready: \(error)") }
  }

  /// The number in `HTTP/1.1 200 OK`.
  private static func status(from channel: HealthChannel) throws(SocketError) -> Int {
    var line: [UInt8] = []
    while line.count < 12 { line += try channel.receive() }
    return Int(String(decoding: line[9..<12], as: UTF8.self)) ?? 0
  }
}

/// Where readiness is asked.
struct HealthTarget: Equatable {
  let address: SocketAddress
  let host: String
  let path: String
  /// Whether TLS is spoken.
  let isSecure: Bool

  /// Reads `http://host:port/path`, or `https://`; the path may be left out.
  init(url: String) throws(StartFailure) {
    guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else {
      throw StartFailure("--url must begin with http:// or https://")
    }
    isSecure = scheme == "https://"
    let rest = url.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" }
    let path = rest[host.endIndex...]
    let withPort = host.contains(":") && !host.hasSuffix("]") ? String(host) : "\(host):\(isSecure ? 443 : 80)"
    do throws(SocketAddressError) { address = try SocketAddress.parse(withPort) } catch { throw StartFailure("--url: \(error)") }
    self.host = String(host)
    self.path = path.isEmpty ? "/readyz" : String(path)
  }

  private init(address: SocketAddress, isSecure: Bool) {
    self.address = address
    self.isSecure = isSecure
    host = "localhost"
    path = "/readyz"
  }

  /// The first address that the configuration listens on, asked from this machine.
  static func configured() throws(StartFailure) -> HealthTarget {
    switch Surroundings.settings(file: nil, rules: []) {
    case .failure(let problems): throw StartFailure(problems.description)
    case .success(let settings):
      guard let first = settings.server.listen.first else { throw StartFailure("server.listen is empty") }
      do throws(SocketAddressError) {
        let isSecure = settings.server.tls.certificate != nil
        return HealthTarget(address: try SocketAddress.parse(first).reachable, isSecure: isSecure)
      } catch {
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
