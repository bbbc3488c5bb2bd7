import TestSupport
import Testing

@testable import ChatEngine

struct EndpointOrderTests {
  @Test func `connections sort by loop and number, subscriptions by serial too`() {
    let endpoints = [(0, 1), (0, 2), (1, 0), (1, 9)].map { Endpoint(loop: $0.0, connection: $0.1) }
    expectEqual(endpoints.reversed().sorted { $0.order < $1.order }, endpoints, "connections")
    let subscribers = endpoints.flatMap { [SubscriberID(endpoint: $0, serial: 1), SubscriberID(endpoint: $0, serial: 2)] }
    expectEqual(subscribers.reversed().sorted { $0.order < $1.order }, subscribers, "subscriptions")
  }
}
