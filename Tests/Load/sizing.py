"""What a gateway takes of the machine: memory when it is empty, processor and commits of durable messages, TLS handshakes, and disk."""

import argparse
import asyncio
import sqlite3
import time

from certificates import SecureGateway, client_context, tls_settings
from checks import within
from gateway import Gateway
from measure import MIB, settled
from peer import PATIENCE, Peer, in_turn

TEXT = "x" * 100
LIMITS = dict(SERVER_HEARTBEAT_MS=3_600_000, SERVER_LIMITS_HANDSHAKE_MS=60_000)


class Reader(Peer):
    """A connection that knows of its topic only how often it was shown."""

    shown, wanted = 0, None

    def note(self, text):
        if not self.hello.done() or b'"id"' in text[:40]:
            return Peer.settle(self, text)
        self.shown += 1
        if self.wanted and self.shown >= self.wanted[0] and not self.wanted[1].done():
            self.wanted[1].set_result(None)

    async def have_been_shown(self, count):
        if self.shown < count:
            self.wanted = (count, asyncio.get_running_loop().create_future())
            await within(self.wanted[1], PATIENCE)


async def found(gateway, number):
    """A conversation's author, who watches nothing."""
    author = await Peer.session(gateway.place, f"author{number}")
    await author.call("conversation.createIfNotExists", conversation=f"room{number}", type="public")
    return author


async def reader(gateway, number):
    """Somebody who watches the first conversation."""
    peer = await Reader.session(gateway.place, f"reader{number}", take=Reader.note)
    await peer.call("conversation.createIfNotExists", conversation="room0")
    await peer.call("subscribe", topic="messages:room0")
    await peer.have_been_shown(1)
    return peer


async def send(author, number, until):
    """Sends one message after the other until the time is over; how many were acknowledged."""
    count = 0
    while time.monotonic() < until:
        await author.call("conversation.send", conversation=f"room{number}", text=TEXT)
        count += 1
    return count


def store_bytes(gateway):
    return sum(path.stat().st_size for path in gateway.folder.iterdir() if path.is_file())


async def stored(options):
    """What messages cost that nobody watches, from authors who each wait for the acknowledgement of the last one."""
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        print(f"memory, empty gateway: {await settled(gateway) / MIB:.1f} MiB", flush=True)
        authors = await in_turn(options.rooms, 16, lambda number: found(gateway, number))
        before, commits = store_bytes(gateway), gateway.metric("parley_commit_seconds_count")
        used, start = gateway.processor_seconds(), time.monotonic()
        sent = sum(await asyncio.gather(*(send(author, number, start + options.seconds) for number, author in enumerate(authors))))
        took, used = time.monotonic() - start, gateway.processor_seconds() - used
        commits = gateway.metric("parley_commit_seconds_count") - commits
        print(f"processor, a durable message: {used / sent * 1e6:.0f} µs; {sent / took:.0f} a second of {options.rooms} authors")
        print(f"commits: {commits / took:.0f} a second, {sent / commits:.1f} messages in each")
        gateway.process.terminate()
        await gateway.ended()
        with sqlite3.connect(gateway.folder / "parley.db") as store:
            (total,) = store.execute("SELECT count(*) FROM messages").fetchone()
        print(f"disk, a message of {len(TEXT)} characters: {(store_bytes(gateway) - before) / total:.0f} bytes, of {total}", flush=True)


async def delivered(options):
    """What each reader of a message costs, when the window is as it was opened, and when it has grown to its largest."""
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        author = await found(gateway, 0)
        for _ in range(10):
            await author.call("conversation.send", conversation="room0", text=TEXT)
        readers = await in_turn(options.readers, 32, lambda number: reader(gateway, number))

        async def each(messages, shown):
            """Processor seconds a delivery; every message is shown to everybody before the next, and so many were shown before."""
            used = gateway.processor_seconds()
            for number in range(messages):
                await author.call("conversation.send", conversation="room0", text=TEXT)
                await asyncio.gather(*(peer.have_been_shown(shown + number + 1) for peer in readers))
            return (gateway.processor_seconds() - used) / messages / options.readers

        small = await each(10, 1)
        await each(190, 11)
        large = await each(20, 201)
        print(f"processor, a delivery of 10 to 20 messages: {small * 1e6:.1f} µs; of 200 messages: {large * 1e6:.1f} µs", flush=True)


async def handshakes(options):
    """What a TLS handshake, and a health answer behind it, costs."""
    with SecureGateway(**LIMITS, **tls_settings()) as gateway:
        context, place = client_context(), ("127.0.0.1", gateway.port)

        async def once(_):
            peer = await Peer.open(place, tls=context)
            peer.abort()

        await in_turn(64, 8, once)
        used = gateway.processor_seconds()
        await in_turn(options.handshakes, 8, once)
        each = (gateway.processor_seconds() - used) / options.handshakes
        print(f"TLS handshakes with an upgrade: {each * 1e6:.0f} µs each, {1 / each:.0f} a second of one processor", flush=True)


async def main(options):
    await stored(options)
    await delivered(options)
    await handshakes(options)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load sizing", description=__doc__)
    parser.add_argument("--rooms", type=int, default=64, help="conversations, each with an author and a reader")
    parser.add_argument("--readers", type=int, default=200, help="of one conversation")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--handshakes", type=int, default=1000)
    raise SystemExit(asyncio.run(main(parser.parse_args())))
