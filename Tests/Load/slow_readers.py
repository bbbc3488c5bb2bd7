"""Readers that stop reading beside readers that read: what the others notice of it, and what memory becomes of it.

Rounds with and without the stopped ones alternate. All stopped ones show a conversation with traffic, whose newest snapshot replaces the
one that waits. Half of them stop while they open large ones, which the gateway brings as far as there is room, and stay. The other half
show conversations that were empty and grow large by what others write, until what waits is over the cap and they are cut off.
"""

import argparse
import asyncio
import time

from gateway import Gateway
from measure import MIB, Verdicts, back_at, median, percentile, settled
from peer import Peer, in_turn

AT_ONCE = 64
READERS_IN_ROOM = 20
AUTHORS = 10
# A snapshot of a large conversation has 190 KB, as each text is in it twice: the cap has room for five and a half.
LARGE, GROWING, LARGE_MESSAGES, LARGE_TEXT = 4, 9, 10, "large " * 1600
MARK = b"@@"
TEXT = "x" * 200
CAP = MIB


class Readers:
    """The readers that read, and how long each delivery took to them."""

    def __init__(self):
        self.peers, self.times, self.measuring = [], [], False

    def take(self, peer, text):
        """A snapshot has the newest message first: its time stands behind the first mark."""
        if not peer.hello.done():
            return Peer.settle(peer, text)
        if (at := text.find(MARK)) < 0:
            return Peer.settle(peer, text)
        peer.newest = int(text[at + 2 : at + 21])
        if self.measuring:
            self.times.append(time.monotonic_ns() - peer.newest)

    async def have_seen(self, newest, seconds=10):
        """Waits until every reader was shown the newest message of its conversation; how many were not."""
        deadline = time.monotonic() + seconds
        while (behind := sum(peer.newest < newest[peer.room] for peer in self.peers)) and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        return behind


async def prepare(gateway, rooms):
    """The conversations: small ones with live traffic, and large ones. Returns the authors; one alone would be over the rate limit."""
    authors = [await Peer.session(gateway.place, f"author{number}") for number in range(AUTHORS)]
    for number in range(LARGE):
        await found(authors[number % AUTHORS], f"large{number}")
        await fill(authors[number % AUTHORS], f"large{number}")
    for number in range(rooms):
        await found(authors[number % AUTHORS], f"room{number}")
    return authors


async def found(author, room):
    await author.call("conversation.createIfNotExists", conversation=room, type="public")


async def fill(author, room):
    for count in range(LARGE_MESSAGES):
        await author.call("conversation.send", conversation=room, text=f"{count} {LARGE_TEXT}")


async def join(peer, *rooms):
    for room in rooms:
        await peer.call("conversation.createIfNotExists", conversation=room)


async def reader(gateway, readers, number, rooms):
    peer = await Peer.session(gateway.place, f"reader{number}", take=readers.take)
    peer.room, peer.newest = number % rooms, 0
    await join(peer, f"room{peer.room}")
    await peer.call("subscribe", topic=f"messages:room{peer.room}")
    readers.peers.append(peer)


async def stopped(gateway, number, rooms, growing):
    """A reader that reads nothing any more, with its conversation and large ones open, or ones that grow."""
    peer = await Peer.session(gateway.place, f"stopped{number}", receive_bytes=4096)
    shown = (growing if number % 2 else [f"large{large}" for large in range(LARGE)]) + [f"room{number % rooms}"]
    await join(peer, *shown)
    if number % 2:
        peer.noted = []
        for room in shown:
            await peer.call("subscribe", topic=f"messages:{room}")
        while len({note["params"]["topic"] for note in peer.noted if note["params"].get("state") == "active"}) < len(shown):
            await asyncio.sleep(0.02)
    peer.stop_reading()
    if number % 2 == 0:
        for room in shown:
            peer.start("subscribe", topic=f"messages:{room}")
    return peer


async def traffic(authors, rooms, rate, seconds):
    """Messages at an even rate, each with the time at which it was due; returns the newest time of each conversation."""
    calls, newest, start, count = [], {}, time.monotonic_ns(), int(rate * seconds)
    for number in range(count):
        due = start + int(number * 1e9 / rate)
        await asyncio.sleep(max(0, (due - time.monotonic_ns()) / 1e9))
        room = number % rooms
        newest[room] = due
        calls.append(authors[room % AUTHORS].start("conversation.send", conversation=f"room{room}", text=f"@@{due:019d} {TEXT}"))
    for reply in await asyncio.gather(*calls):
        if "error" in reply:
            raise AssertionError(f"a message was refused: {reply['error']}")
    return newest


async def stop(gateway, authors, options, name):
    """Those who stop reading, when what grows has grown."""
    growing = [f"{name}-{number}" for number in range(GROWING)]
    await asyncio.gather(*(found(author, room) for author, room in zip(authors, growing)))
    peers = await in_turn(options.stopped, AT_ONCE, lambda number: stopped(gateway, number, options.rooms, growing))
    await asyncio.gather(*(fill(author, room) for author, room in zip(authors, growing)))
    return peers


async def round_of(gateway, readers, authors, options, name, with_stopped=True):
    """The 99th percentile of a round in milliseconds, and the memory before, at the most, and afterwards."""
    before, most = await settled(gateway, seconds=5, still=0.5), 0
    peers = await stop(gateway, authors, options, name) if with_stopped else []
    await traffic(authors, options.rooms, options.rate, options.warm)
    readers.times, readers.measuring = [], True
    newest = await traffic(authors, options.rooms, options.rate, options.seconds)
    behind = await readers.have_seen(newest)
    readers.measuring = False
    most = gateway.resident()
    expected = int(options.rate * options.seconds) * len(readers.peers) / options.rooms
    times = [nanoseconds / 1e6 for nanoseconds in readers.times]
    for peer in peers:
        peer.abort()
    allowed = before + max(before * 0.05, 8 * MIB)
    after = await back_at(gateway, allowed)
    p99 = percentile(times, 0.99)
    print(
        f"     {'with   ' if with_stopped else 'without'} p50 {percentile(times, 0.5):.2f} ms, p99 {p99:.2f} ms, "
        f"{len(times)} of {expected:.0f} deliveries; memory {before / MIB:.1f}, {most / MIB:.1f}, {after / MIB:.1f} MiB, "
        f"of it SQLite {gateway.metric('parley_store_memory_bytes') / MIB:.1f} MiB",
        flush=True,
    )
    return p99, before, after, behind


class Queues:
    """The most bytes that were seen waiting for one connection, and the most connections that took no more."""

    def __init__(self, gateway):
        self.gateway, self.bytes, self.blocked = gateway, 0, 0

    async def watch(self):
        while True:
            self.bytes = max(self.bytes, await asyncio.to_thread(self.gateway.metric, "parley_largest_queue_bytes"))
            self.blocked = max(self.blocked, await asyncio.to_thread(self.gateway.metric, "parley_blocked_connections"))
            await asyncio.sleep(0.1)


async def main(options):
    check, readers = Verdicts(), Readers()
    options.rooms = max(1, options.readers // READERS_IN_ROOM)
    with Gateway(SERVER_HEARTBEAT_MS=600_000) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        authors = await prepare(gateway, options.rooms)
        await in_turn(options.readers, AT_ONCE, lambda number: reader(gateway, readers, number, options.rooms))
        queues = Queues(gateway)
        watching = asyncio.create_task(queues.watch())
        # Whatever is made once is made in a round that does not count.
        await round_of(gateway, readers, authors, options, "first")
        rounds = {True: [], False: []}
        for number in range(options.rounds):
            for with_stopped in (False, True):
                rounds[with_stopped].append(await round_of(gateway, readers, authors, options, f"growing{number}", with_stopped))
        times = {kind: median([one[0] for one in rounds[kind]]) for kind in rounds}
        check("p99 with the stopped readers, as a multiple of that without", times[True] / times[False], 1.5)
        growth = max((after - before) / max(before * 0.05, 8 * MIB) for _, before, after, _ in rounds[True])
        check("memory kept after a round, in parts of 5 % or 8 MiB", growth, 1)
        check.true("those who read saw the newest message of each round", not any(one[3] for kind in rounds.values() for one in kind))
        check.true("those who read were not cut off", all(peer.closed is None for peer in readers.peers))
        cut_off = gateway.metric('parley_connections_closed_total{cause="slow_reader"}')
        check.true(f"{cut_off:.0f} were cut off as slow readers", cut_off > 0)
        watching.cancel()
        check.true(f"{queues.blocked:.0f} were blocked at once, at most", queues.blocked > 0)
        check("the longest queue that was seen, in parts of the cap", queues.bytes / CAP, 1)
    return check.exit_code()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load slow-readers", description=__doc__)
    parser.add_argument("--readers", type=int, default=1000, help="who read")
    parser.add_argument("--stopped", type=int, default=1000, help="who stop reading")
    parser.add_argument("--rounds", type=int, default=7, help="of each kind")
    parser.add_argument("--rate", type=float, default=100, help="messages a second; each goes to 20 readers")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--warm", type=float, default=2)
    raise SystemExit(asyncio.run(main(parser.parse_args())))
