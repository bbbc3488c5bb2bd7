import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct HealthResponseTests {
  @Test func `health is a status and the names of what failed`() {
    let well = HealthResponse.liveness([])
    expectEqual(well.status, 200, "alive")
    expectEqual(String(decoding: well.body, as: UTF8.self), #"{"status":"ok","failed":[]}"#, "alive")
    expectEqual(HealthResponse.readiness([]), well, "ready")
    let silent = HealthResponse.liveness([1])
    expectEqual(silent.status, 503, "a loop stands")
    expectEqual(
      String(decoding: silent.body, as: UTF8.self), #"{"status":"failing","failed":[{"check":"loop 1","reason":"does not turn"}]}"#, "which"
    )
    let failed = HealthResponse.readiness([
      FailedCheck(name: "store", reason: "a \"full\" disk"), FailedCheck(name: "server", reason: "draining"),
    ])
    expectEqual(failed.status, 503, "not ready")
    expectEqual(
      String(decoding: failed.body, as: UTF8.self),
      #"{"status":"failing","failed":[{"check":"store","reason":"a \"full\" disk"},{"check":"server","reason":"draining"}]}"#, "all of them"
    )
    expectEqual(failed.fields, [HeaderField("Content-Type", "application/json")], "JSON")
  }
}
