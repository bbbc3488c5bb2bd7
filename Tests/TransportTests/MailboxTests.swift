import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
  @Test func `mail from several threads arrives once, each thread's in order`() async throws {
    let loop = try EventLoop(index: 0)
    let mailbox = Mailbox<(thread: Int, number: Int)>(of: loop)
    expect(mailbox.loop === loop, "the loop")
    let journal = Journal()
    let (threads, each) = (4, 5000)
    mailbox.post((0, 0))
    await loop.run { loop in
      let owner = ClosureHandler()
      var next = Array(repeating: 0, count: threads)
      owner.onMail = { owner, loop in
        for (thread, number) in mailbox.take(on: loop) {
          if number != next[thread] { journal.write("thread \(thread): \(number) instead of \(next[thread])") }
          next[thread] += 1
        }
        if next.allSatisfy({ $0 == each }) {
          journal.write("all")
          loop.wantsFlush(owner)
        }
      }
      owner.onFlush = { owner, loop in
        journal.write("flushed")
        loop.disown(owner)
      }
      loop.own(owner)
    }
    await loop.start()
    await Threads.run(threads) { thread in
      for number in (thread == 0 ? 1 : 0)..<each { mailbox.post((thread, number)) }
    }
    expectEqual(await journal.lines(2), ["all", "flushed"], "all mail, also what came before the loop ran")
    mailbox.post((0, -1))
    await loop.run { _ in }
    let left = await loop.run { mailbox.take(on: $0).map(\.number) }
    expectEqual(left, [-1], "nobody takes mail for an owner that was forgotten")
    await loop.stop()
  }
}
