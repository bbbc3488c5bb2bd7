import HTTPProtocol
import JSON

/// The answers of the health addresses.
enum HealthResponse {
  /// The addresses that are answered on every listening socket, even with almost no descriptors left (`config/parley.json5`).
  static let paths: Set<String> = ["/livez", "/readyz", "/health"]

  /// The answer to one of the health addresses; nil for another one.
  ///
  /// - Parameters:
  ///   - path: What is asked for.
  ///   - monitoring: What is known of the gateway.
  ///   - now: Milliseconds of the loops' clock.
  static func answer(to path: String, of monitoring: Monitoring, at now: UInt64) -> HTTPResponse? {
    switch path {
    case "/livez": liveness(monitoring.silentLoops(at: now))
    case "/readyz", "/health": readiness(monitoring.failedChecks())
    default: nil
    }
  }

  /// 200 while the loops turn; never asks the store.
  static func liveness(_ silentLoops: [Int]) -> HTTPResponse {
    report(silentLoops.map { FailedCheck(name: "loop \($0)", reason: "does not turn") })
  }

  /// 200 when new clients may come, else 503 with what is not ready.
  static func readiness(_ failed: [FailedCheck]) -> HTTPResponse { report(failed) }

  private static func report(_ failed: [FailedCheck]) -> HTTPResponse {
    var writer = JSONWriter(capacity: 128)
    writer.beginObject()
    writer.field("status", failed.isEmpty ? "ok" : "failing")
    writer.key("failed")
    writer.beginArray()
    for check in failed {
      writer.beginObject()
      writer.field("check", check.name)
      writer.field("reason", check.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return HTTPResponse(
      status: failed.isEmpty ? 200 : 503, fields: [HeaderField("Content-Type", "application/json")], body: writer.bytes)
  }
}
