"""Peers that read slowly or not at all, and peers that are silent."""

import asyncio
import contextlib
import json
import socket
import time

from checks import case, equal
from client import PATIENCE, Client, connected
from gateway import Gateway
from tokens import token
from wire import Wire, masked, upgrade

TOPICS = 20
LONG = "long " * 1900


async def prepare(gateway):
    """Conversations of which each has about 100 KB to show."""
    async with await Client.connect(gateway.url, "author") as author:
        for number in range(TOPICS):
            room = f"big{number}"
            await author.call("conversation.createIfNotExists", conversation=room, type="public")
            calls = [await author.start("conversation.send", conversation=room, text=f"{n} {LONG}") for n in range(10)]
            for call in calls:
                equal("result" in await call, True, "send")


def at_once(size, items):
    """Parts of a list that a client may ask for at once: what waits for it then is within `server.limits.outboundBytes`."""
    count = 900_000 // size
    return [items[start : start + count] for start in range(0, len(items), count)]


def cut_off(gateway):
    """How many connections were closed as slow readers."""
    return gateway.metric('parley_connections_closed_total{cause="slow_reader"}')


class Stuck:
    """A client that opens a session, asks for much and reads nothing."""

    def __init__(self, gateway):
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", gateway.port))
        self.socket.sendall(upgrade(f"Authorization: Bearer {token('stuck')}").encode())
        self.number = 0

    def call(self, method, **params):
        self.number += 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode()
        self.socket.sendall(masked(0x81, text))

    def rest(self):
        """Reads all that is left until the server has closed."""
        received = bytearray()
        with self.socket, contextlib.suppress(ConnectionResetError):
            while chunk := self.socket.recv(1 << 16):
                received += chunk
        return bytes(received)


@case("who does not read is cut off with 4100, and nobody else notices", seconds=60)
async def stuck():
    with Gateway() as gateway:
        await prepare(gateway)
        before = gateway.resident()
        stuck = [Stuck(gateway) for _ in range(5)]
        async with connected(gateway, "ana", "ben") as (ana, ben):
            for client in (ana, ben):
                await client.call("conversation.createIfNotExists", conversation="small")
                await client.call("subscribe", topic="messages:small")
            for peer in stuck:
                for number in range(TOPICS):
                    peer.call("conversation.createIfNotExists", conversation=f"big{number}")
                    peer.call("subscribe", topic=f"messages:big{number}")
            slowest, deadline = 0, time.monotonic() + 20
            while cut_off(gateway) < len(stuck) and time.monotonic() < deadline:
                start = time.monotonic()
                sent = (await ana.call("conversation.send", conversation="small", text="x"))["message"]
                await ben.wait_for(lambda: ben.latest("messages:small")["snapshot"][:1] == [sent], "ben sees it")
                slowest = max(slowest, time.monotonic() - start)
            equal(cut_off(gateway), len(stuck), "connections closed as slow readers")
            equal(slowest < 1, True, f"others are served at once, not in {slowest:.2f} s")
            equal((ana.closed, ben.closed), (None, None), "the others' connections")
        growth = (gateway.resident() - before) / 1e6
        equal(growth < 60, True, f"memory is bounded, not {growth:.0f} MB more")
        for peer in stuck:
            rest = await asyncio.to_thread(peer.rest)
            equal(len(rest) < 8e6, True, "not much was queued")


@case("4100 is told when there is room for it")
async def told():
    with Gateway() as gateway:
        await prepare(gateway)
        peer = Stuck(gateway)
        for number in range(TOPICS):
            peer.call("conversation.createIfNotExists", conversation=f"big{number}")
            peer.call("subscribe", topic=f"messages:big{number}")
        await gateway.until(lambda: cut_off(gateway) == 1, 10, "the slow reader is cut off")
        rest = await asyncio.to_thread(peer.rest)
        # Best effort: if a close frame came, it is the last frame and says 4100.
        close = rest.rfind((4100).to_bytes(2, "big"))
        equal(close == -1 or len(rest) - close <= 125, True, "the close frame comes last")


@case("who reads is not cut off, however much that is")
async def reading():
    with Gateway() as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, "reader") as reader:
            for number in range(TOPICS):
                await reader.call("conversation.createIfNotExists", conversation=f"big{number}")
            for rooms in at_once(100_000, [f"big{number}" for number in range(TOPICS)]):
                for room in rooms:
                    await reader.start("subscribe", topic=f"messages:{room}")
                await reader.wait_for(lambda: reader.closed or all(reader.latest(f"messages:{room}") for room in rooms), "snapshots")
                equal(reader.closed, None, "the connection while snapshots come")
            for rooms in at_once(100_000, [f"big{number % TOPICS}" for number in range(60)]):
                calls = [await reader.start("conversation.history", conversation=room, limit=100) for room in rooms]
                equal([len((await call)["result"]["messages"]) for call in calls], [10] * len(rooms), "pages of the history")


@case("who sends much and reads the replies is not cut off")
async def sending():
    with Gateway() as gateway:
        async with await Client.connect(gateway.url, "sender") as sender:
            await sender.call("conversation.createIfNotExists", conversation="long")
            # A reply has the text twice, as `plaintext` and as `content`.
            for texts in at_once(54_000, ["€" * 9000] * 60):
                calls = [await sender.start("conversation.send", conversation="long", text=text) for text in texts]
                equal([(await call)["result"]["duplicate"] for call in calls], [False] * len(texts), "replies")


@case("requests that nobody reads the answers of: the socket is not read, memory stays", seconds=60)
async def flood():
    with Gateway() as gateway:
        await prepare(gateway)
        before = gateway.resident()
        peer = Stuck(gateway)
        peer.call("conversation.createIfNotExists", conversation="big0")
        peer.socket.settimeout(3)
        with contextlib.suppress(TimeoutError, ConnectionError):
            for _ in range(20_000):
                peer.call("conversation.history", conversation="big0", limit=100)
        growth = (gateway.resident() - before) / 1e6
        equal(growth < 60, True, f"memory is bounded, not {growth:.0f} MB more")
        equal(gateway.status("/livez"), 200, "/livez")
        peer.socket.close()


@case("pings: who answers stays, who does not is freed")
async def heartbeat():
    with Gateway(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500) as gateway:
        async with await Client.connect(gateway.url, "idle") as idle, Wire.open(gateway) as deaf:
            equal((idle.hello["heartbeatMs"], idle.hello["graceMs"]), (1000, 500), "hello")
            deaf.write(upgrade(f"Authorization: Bearer {token('deaf')}"))
            await deaf.head()
            await deaf.frame()
            start = time.monotonic()
            first, _ = await deaf.frame()
            equal((first, 0.8 < time.monotonic() - start < 2), (0x89, True), "a ping after heartbeatMs")
            rest = await deaf.end()
            equal(1.3 < time.monotonic() - start < 3.5, True, f"freed after graceMs, not {time.monotonic() - start:.1f} s")
            equal(len(rest) < 130, True, f"at most a close frame: {rest}")
            # Anything that comes puts the ping off.
            async with Wire.open(gateway) as talking:
                talking.write(upgrade(f"Authorization: Bearer {token('talking')}"))
                await talking.head()
                await talking.frame()
                for _ in range(6):
                    talking.write(masked(0x81, b'{"jsonrpc":"2.0","id":1,"method":"ping"}'))
                    equal((await talking.frame())[0], 0x81, "a reply, no ping")
                    await asyncio.sleep(0.5)
            await idle.call("ping")
            equal(idle.closed, None, "who answers stays")
