// Dictionaries have no order: where one event leads to several actions, they are sorted by who gets them.

extension Endpoint {
  /// Sorts connections by loop and number.
  var order: (Int32, UInt64) { (loop, connection) }
}

extension SubscriberID {
  /// Sorts subscriptions by connection and number.
  var order: (Int32, UInt64, UInt64) { (endpoint.loop, endpoint.connection, serial) }
}
