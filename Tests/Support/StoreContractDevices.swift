import ChatEngine
import ChatModel

extension StoreContract {
  static func checkDevices(_ store: StoreUnderTest) async {
    var store = store
    let (ann, bob) = (StoreContractRecords.user("ann"), StoreContractRecords.user("bob"))
    let google = PushDevice(token: "é \"", gateway: .fcm)
    let apple = PushDevice(token: "t", gateway: .apns2, topic: "com.example.app", environment: .production)
    let older = PushDevice(token: "o", gateway: .apns, environment: .development)
    for (step, change) in [
      Change.putDevice(ann, google), .putDevice(ann, apple), .putDevice(ann, older), .putDevice(bob, apple), .putDevice(ann, google),
      .putDevice(bob, PushDevice(token: "t", gateway: .fcm)), .removeDevice(bob, token: "o"), .removeDevice(ann, token: "t"),
      .removeDevice(ann, token: "o"), .removeDevice(bob, token: "t"),
    ].enumerated() {
      await store.commit(change, comment: "step \(step)")
      await store.compare(.devices(ann), .devices(bob), comment: "step \(step)")
    }
  }
}
