"""What a gateway takes of the machine: memory when it is empty, processor and commits of durable messages, TLS handshakes, and disk."""

import argparse
import asyncio
import sqlite3
import time

from certificates import SecureGateway, client_context, tls_settings
from gateway import Gateway
from measure import MIB, settled
from peer import Peer, in_turn

TEXT = "x" * 100
LIMITS = dict(SERVER_HEARTBEAT_MS=3_600_000, SERVER_LIMITS_HANDSHAKE_MS=60_000)


class Reader(Peer):
    """A connection that knows of its topic only that it moved: the processor is the gateway's."""

    shown = 0

    def note(self, text):
        if not self.hello.done() or b'"id"' in text[:40]:
            Peer.settle(self, text)
        else:
            self.shown += 1


async def room_of(gateway, number, readers):
    """A conversation with its author, who watches nothing, and who reads it."""
    author = await Peer.session(gateway.place, f"author{number}")
    await author.call("conversation.createIfNotExists", conversation=f"room{number}", type="public")

    async def read(place):
        peer = await Reader.session(gateway.place, f"reader{number}-{place}", take=Reader.note)
        await peer.call("conversation.createIfNotExists", conversation=f"room{number}")
        await peer.call("subscribe", topic=f"messages:room{number}")
        return peer

    return author, await in_turn(readers, 32, read)


async def send(author, number, until):
    """Sends one message after the other until the time is over; how many were acknowledged."""
    count = 0
    while time.monotonic() < until:
        await author.call("conversation.send", conversation=f"room{number}", text=TEXT)
        count += 1
    return count


async def traffic(gateway, rooms, readers, seconds):
    """Messages acknowledged and shown, commits, processor seconds and the time of authors who send one after the other."""
    made = [await room_of(gateway, number, readers) for number in range(rooms)]
    await asyncio.gather(*(send(author, number, time.monotonic() + 1) for number, (author, _) in enumerate(made)))
    everybody = [peer for _, peers in made for peer in peers]
    shown, commits = sum(peer.shown for peer in everybody), gateway.metric("parley_commit_seconds_count")
    used, start = gateway.processor_seconds(), time.monotonic()
    sent = sum(await asyncio.gather(*(send(author, number, start + seconds) for number, (author, _) in enumerate(made))))
    took, used = time.monotonic() - start, gateway.processor_seconds() - used
    commits = gateway.metric("parley_commit_seconds_count") - commits
    return sent, sum(peer.shown for peer in everybody) - shown, commits, used, took


def store_bytes(gateway):
    return sum(path.stat().st_size for path in gateway.folder.iterdir() if path.is_file())


async def plain(options):
    """The figures of messages."""
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        print(f"memory, empty gateway: {await settled(gateway) / MIB:.1f} MiB", flush=True)
        before = store_bytes(gateway)
        sent, shown, commits, used, took = await traffic(gateway, options.rooms, 1, options.seconds)
        print(f"processor, a durable message to one reader: {used / sent * 1e6:.0f} µs ({sent / took:.0f} a second, {shown / sent:.2f} shown)")
        print(f"commits: {commits / took:.0f} a second, {sent / commits:.1f} messages in each")
        gateway.process.terminate()
        await gateway.ended()
        with sqlite3.connect(gateway.folder / "parley.db") as store:
            (total,) = store.execute("SELECT count(*) FROM messages").fetchone()
        print(f"disk, a message of 100 characters: {(store_bytes(gateway) - before) / total:.0f} bytes, of {total}", flush=True)


async def crowded(options):
    """What one more reader of a conversation costs."""
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        one = await traffic(gateway, 1, 1, options.seconds)
    with Gateway(**LIMITS) as gateway:
        gateway.place = ("127.0.0.1", gateway.port)
        many = await traffic(gateway, 1, options.readers, options.seconds)
    alone = one[3] / one[0]
    each = (many[3] / many[0] - alone) / (many[1] / many[0] - one[1] / one[0])
    print(f"processor, a delivery to one more reader: {each * 1e6:.1f} µs, of {many[1]} to {options.readers}", flush=True)


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
    await plain(options)
    await crowded(options)
    await handshakes(options)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/load sizing", description=__doc__)
    parser.add_argument("--rooms", type=int, default=64, help="conversations, each with an author and a reader")
    parser.add_argument("--readers", type=int, default=200, help="of one conversation")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--handshakes", type=int, default=1000)
    raise SystemExit(asyncio.run(main(parser.parse_args())))
