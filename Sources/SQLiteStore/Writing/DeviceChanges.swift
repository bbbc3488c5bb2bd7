import ChatEngine
import ChatModel

/// Writes rows of devices.
struct DeviceChanges {
  private let putDevice: Statement
  private let deleteDevice: Statement

  init(_ database: Database) throws(StoreError) {
    // A new row with a new key: the order of registering, and nothing of who had the device before.
    putDevice = try database.prepare(
      "INSERT OR REPLACE INTO devices (user, token, gateway, topic, environment) VALUES (?1, ?2, ?3, ?4, ?5)")
    deleteDevice = try database.prepare("DELETE FROM devices WHERE token = ?1 AND user = ?2")
  }

  /// Adds a device, or takes it from who had it.
  func put(_ device: PushDevice, of user: UserID) throws(StoreError) {
    try putDevice.run { statement in
      statement.bind(user.text)
      statement.bind(device.token)
      statement.bind(device.gateway.stored)
      statement.bind(device.topic)
      statement.bind(device.environment?.stored)
    }
  }

  /// Removes a user's device; does nothing where the user has none with this token.
  func remove(_ token: String, of user: UserID) throws(StoreError) {
    try deleteDevice.run { statement in
      statement.bind(token)
      statement.bind(user.text)
    }
  }
}
