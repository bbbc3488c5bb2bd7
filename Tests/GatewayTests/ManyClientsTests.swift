import Observability
import TestSupport
import Testing

@testable import Gateway

extension OverSockets {
  @Suite struct ManyClientsTests {
    private static let clients = 8
    private static let rooms = ["red", "blue"]

    /// For the thread sanitizer: every conversation and every list is touched from both loops at once.
    @Test func `clients on all loops chat in the same conversations and see the same end`() async throws {
      let gateway = try await TestGateway.start()
      for index in 0..<Self.clients {
        let client = try gateway.guest("user\(index)")
        for room in Self.rooms {
          let reply = try client.call("conversation.createIfNotExists", #"{"conversation":"\#(room)"}"#)
          expect(reply.contains(#""created":\#(index == 0)"#), reply)
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<Self.clients { group.addTask { try await OverSockets.blocking { try Self.chat(index, gateway) } } }
        try await group.waitForAll()
      }
      try await OverSockets.blocking {
        let watchers = try (1..<3).map { try Self.watch($0, gateway) }
        let last = try gateway.guest("user0")
        for room in Self.rooms { _ = try last.call("conversation.send", #"{"conversation":"\#(room)","text":"the end of \#(room)"}"#) }
        for watcher in watchers {
          for room in Self.rooms { _ = try watcher.text(with: #""topic":"messages:\#(room)""#, "the end of \(room)") }
          _ = try watcher.text(with: #""topic":"conversations""#, "the end of blue")
        }
      }
      await gateway.stop()
    }

    private static func watch(_ index: Int, _ gateway: TestGateway) throws -> WireClient {
      let client = try gateway.guest("user\(index)")
      for topic in ["messages:red", "messages:blue", "typing:red", "participants:blue", "conversations", "online:user0"] {
        expect(try client.call("subscribe", #"{"topic":"\#(topic)"}"#).contains("state"), topic)
      }
      return client
    }

    private static func chat(_ index: Int, _ gateway: TestGateway) throws {
      let client = try watch(index, gateway)
      for round in 0..<12 {
        let room = rooms[(index + round) % rooms.count]
        let ids = [
          client.ask("conversation.markAsTyping", #"{"conversation":"\#(room)"}"#),
          client.ask("conversation.send", #"{"conversation":"\#(room)","text":"\#(index).\#(round)","clientMessageId":"\#(round)"}"#),
          client.ask("conversation.markAsRead", #"{"conversation":"\#(room)"}"#),
          client.ask("conversation.history", #"{"conversation":"\#(room)","limit":3}"#), client.ask("conversation.markAllAsRead"),
        ]
        for id in ids { expect(try client.reply(to: id).contains(#""result""#), "\(index).\(round): \(id)") }
      }
      if index.isMultiple(of: 2) { client.close() } else { client.vanish() }
    }
  }
}
