import ChatModel

/// What comes of a call on a user's devices.
enum DeviceRules {
  /// The changes that an operation makes; `devices` are the user's, the one that registered longest ago first.
  ///
  /// Tokens change, and an app that was removed does not say so: with one too many the device goes that registered longest ago.
  static func changes(_ operation: UserOperation, of user: UserID, _ devices: [PushDevice]) -> [Change] {
    switch operation {
    case .registerDevice(let device):
      let others = devices.filter { $0.token != device.token }
      let old = others.dropLast(PushDevice.maxPerUser - 1)
      return old.map { .removeDevice(user, token: $0.token) } + [.putDevice(user, device)]
    case .unregisterDevice(let token):
      return devices.contains { $0.token == token } ? [.removeDevice(user, token: token)] : []
    case .get, .whereabouts, .createIfNotExists, .set, .deleteFields, .mute, .unmute, .muted: return []
    }
  }
}

extension UserRequest {
  /// Whether it can be decided only when the user's devices are known.
  var wantsDevices: Bool {
    switch self {
    case .call(.registerDevice, _, _), .call(.unregisterDevice, _, _): true
    case .call, .open, .persist, .revoke, .refresh, .subscribe: false
    }
  }
}
