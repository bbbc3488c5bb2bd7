import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct YieldQueueTests {
    /// Looks in every round of the loop how many bytes wait, until none do.
    private final class Rounds: MailboxOwner {
      private let context: ConnectionContext
      private(set) var waiting: [Int] = []
      private(set) var isEnded = false

      init(_ context: ConnectionContext) { self.context = context }

      func mailArrived(on loop: isolated EventLoop) {
        guard !isEnded else { return }
        let most = context.connections.values.map(\.rest.count).max() ?? 0
        isEnded = most == 0 && !waiting.isEmpty
        if most > 0 { waiting.append(most) }
        loop.wake()
      }
    }

    @Test func `a connection has one go in each round of the loop`() async throws {
      let bench = try await ConnectionBench.start()
      let client = try WireClient.open(bench.address)
      expectEqual(client.next(), .text("hello"))
      await bench.onLoop { station, loop in
        let rounds = Rounds(station.context)
        station.owner = rounds
        loop.own(rounds)
      }
      let hold = await bench.hold()
      let pings = Array(repeating: WireClient.frame(.ping, []), count: 8_000).flatMap { $0 }
      expectEqual(client.sendNow(pings), pings.count, "in one piece")
      hold.goOn()
      expect(await bench.holds { ($0.owner as? Rounds)?.isEnded == true }, "all is gone through")
      let steps = await bench.onLoop { station, _ in
        let waiting = (station.owner as? Rounds)?.waiting ?? []
        return zip(waiting, waiting.dropFirst()).map { $0 - $1 }
      }
      let most = 512 * 6
      expect(steps.count > 5 && steps.allSatisfy { $0 <= most }, "bytes in each round: \(steps)")
      await bench.stop()
    }
  }
}
