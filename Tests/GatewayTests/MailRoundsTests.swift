import ChatEngine
import ChatModel
import Locks
import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct MailRoundsTests {
  @Test func `what arrives at once is divided, and stays in its order`() {
    let most = MailRounds<Int>.maxRound
    // How much arrives in each round, and how much of it is worked off there.
    let cases: [(name: String, arrivals: [Int], rounds: [Int])] = [
      ("nothing", [0, 0], [0, 0]), ("a few", [1, most, 3], [1, most, 3]), ("one too many", [most + 1, 0, 0], [most, 1, 0]),
      ("more behind what waits", [most + 1, 2, 0, 5], [most, 3, 0, 5]),
      ("a crowd", [3 * most, most, 0, 0, 0], [most, most, most, most, 0]),
    ]
    for (name, arrivals, rounds) in cases {
      var mail = MailRounds<Int>()
      var (arrived, seen): (Int, [Int]) = (0, [])
      for (index, count) in arrivals.enumerated() {
        let round = mail.next(Array(arrived..<arrived + count))
        arrived += count
        seen += round
        expectEqual(round.count, rounds[index], "\(name): round \(index)")
        expectEqual(mail.isEmpty, seen.count == arrived, "\(name): whether something waits, round \(index)")
      }
      expectEqual(seen, Array(0..<arrived), "\(name): the order")
    }
  }

  /// Notes which conversations are read, and never answers.
  private final class Notes: Store {
    let asked = Lock<[String]>([])

    func read(_ queries: [StoreQuery], done: @escaping @Sendable (Result<[StoreAnswer], StoreError>) -> Void) {
      for case .conversation(let id) in queries { asked.withLock { $0.append(id.text) } }
    }

    func commit(_ changes: ChangeSet, done: @escaping @Sendable (StoreError?) -> Void) {}
  }

  /// Notes in every round of the loop how much was read.
  private final class Rounds: MailboxOwner {
    let notes: Notes
    let counts = Lock<[Int]>([])

    init(_ notes: Notes) { self.notes = notes }

    func mailArrived(on loop: isolated EventLoop) {
      let count = notes.asked.withLock { $0.count }
      counts.withLock { $0.append(count) }
    }
  }

  @Test func `a shard lets others of its loop have their rounds between its mail`() async throws {
    let loop = try EventLoop(index: 0)
    let inbox = Mailbox<ShardMail>(of: loop)
    let notes = Notes()
    let caller = Caller(user: UserID(stored: "ann"), kind: .user, permissions: Permissions())
    let call = CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: 1)
    let names = (0..<1_000).map { "room \($0)" }
    for name in names { inbox.post(.call(ConversationID(stored: name), .markAsRead(upTo: nil), caller, call)) }
    let counts = await loop.run { loop in
      let directory = LoopDirectory(shards: [inbox], sessions: [Mailbox(of: loop)])
      let log = Logger(threshold: LogThreshold(.debug), now: { 0 }, sink: { _ in })
      let rounds = Rounds(notes)
      loop.own(Shard(settings: ChatSettings(), store: notes, directory: directory, isCompressing: false, log: log, on: loop))
      loop.own(rounds)
      loop.start()
      return rounds.counts
    }
    let start = Tick.now()
    while notes.asked.withLock({ $0.count }) < names.count, Tick.now().milliseconds(since: start) < 30_000 { await Task.yield() }
    expectEqual(notes.asked.withLock { $0 }, names, "in the order of arrival")
    let most = await loop.run { loop in
      loop.stop()
      let counts = [0] + counts.withLock { $0 }
      return zip(counts, counts.dropFirst()).map { $1 - $0 }.max() ?? 0
    }
    expect(most > 0 && most <= MailRounds<ShardMail>.maxRound, "so much in one round: \(most)")
  }
}
