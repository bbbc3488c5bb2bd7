import ChatEngine
import ChatModel

/// Reads devices.
struct DeviceQueries {
  private let ofUser: Statement

  init(_ database: Database) throws(StoreError) {
    ofUser = try database.prepare("SELECT token, gateway, topic, environment FROM devices WHERE user = ?1 ORDER BY key")
  }

  /// A user's devices, the one that registered longest ago first.
  func devices(of user: UserID) throws(StoreError) -> [PushDevice] {
    try ofUser.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      var devices: [PushDevice] = []
      while try statement.step() { devices.append(try Self.read(statement)) }
      return devices
    }
  }

  private static func read(_ statement: Statement) throws(StoreError) -> PushDevice {
    let token = statement.text()
    let gateway = try PushGateway(from: statement)
    let topic = statement.optionalText()
    let environment = statement.optionalInteger()
    let known = PushEnvironment.allCases.first { $0.stored == environment }
    guard environment == nil || known != nil else { throw .badRow("a PushEnvironment") }
    return PushDevice(token: token, gateway: gateway, topic: topic, environment: known)
  }
}
