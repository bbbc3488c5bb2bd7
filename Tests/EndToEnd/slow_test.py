"""Peers that read slowly or not at all, and peers that are silent."""

import asyncio
import contextlib
import itertools
import json
import os
import socket
import time

from checks import case, equal
from client import PATIENCE, Client, Notifications, connected
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


def cut_off(gateway):
    """How many connections were closed as slow readers."""
    return gateway.metric('parley_connections_closed_total{cause="slow_reader"}')


class Stuck:
    """A client that opens a session, asks for much and reads nothing."""

    def __init__(self, gateway, user="stuck"):
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", gateway.port))
        self.socket.sendall(upgrade(f"Authorization: Bearer {token(user)}").encode())
        self.number = 0

    def call(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})

    def send(self, message):
        self.socket.sendall(masked(0x81, json.dumps(message).encode()))

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
            slowest, deadline, number = 0, time.monotonic() + 20, 0
            while cut_off(gateway) < len(stuck) and time.monotonic() < deadline:
                # What they asked for waits until they read; what others say does not.
                number += 1
                await ana.call("conversation.createIfNotExists", conversation=f"big{number % TOPICS}")
                await ana.call("conversation.send", conversation=f"big{number % TOPICS}", text=f"{number} {LONG}")
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
        async with await Client.connect(gateway.url, "author") as author:
            number = 0
            while cut_off(gateway) == 0 and number < 200:
                number += 1
                await author.call("conversation.send", conversation=f"big{number % TOPICS}", text=f"{number} {LONG}")
        await gateway.until(lambda: cut_off(gateway) == 1, 3, "the slow reader is cut off")
        rest = await asyncio.to_thread(peer.rest)
        # Best effort: if a close frame came, it is the last frame and says 4100.
        close = rest.rfind((4100).to_bytes(2, "big"))
        equal(close == -1 or len(rest) - close <= 125, True, "the close frame comes last")


@case("who reads is not cut off, however much that is")
async def reading():
    with Gateway() as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, "reader") as reader:
            rooms = [f"big{number}" for number in range(TOPICS)]
            for room in rooms:
                await reader.call("conversation.createIfNotExists", conversation=room)
            for room in rooms:
                await reader.start("subscribe", topic=f"messages:{room}")
            await reader.wait_for(lambda: reader.closed or all(reader.latest(f"messages:{room}") for room in rooms), "snapshots")
            equal(reader.closed, None, "the connection while snapshots come")
            calls = [await reader.start("conversation.history", conversation=rooms[n % TOPICS], limit=100) for n in range(60)]
            equal([len((await call)["result"]["messages"]) for call in calls], [10] * 60, "pages of the history")


@case("who sends much and reads the replies is not cut off")
async def sending():
    with Gateway() as gateway:
        async with await Client.connect(gateway.url, "sender") as sender:
            await sender.call("conversation.createIfNotExists", conversation="long")
            # A reply has the text twice, as `plaintext` and as `content`.
            calls = [await sender.start("conversation.send", conversation="long", text="€" * 9000) for _ in range(60)]
            equal([(await call)["result"]["duplicate"] for call in calls], [False] * 60, "replies")


class SlowLink(Notifications):
    """A client behind a link of so many bytes a second, with little room in between."""

    def __init__(self, gateway, user, rate):
        super().__init__()
        self.gateway, self.user, self.rate = gateway, user, rate
        self.ids = itertools.count(1)
        self.replies, self.arrays, self.code = {}, [], None

    async def __aenter__(self):
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        peer.connect(("127.0.0.1", self.gateway.port))
        self.reader, self.writer = await asyncio.open_connection(sock=peer, limit=16_384)
        self.writer.write(upgrade(f"Authorization: Bearer {token(self.user)}").encode())
        await self.reader.readuntil(b"\r\n\r\n")
        self.task = asyncio.create_task(self.read())
        await self.wait_for(lambda: self.told("hello"), "hello")
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        self.writer.transport.abort()

    async def exactly(self, count):
        """Reads no faster than the link carries."""
        data = bytearray()
        while len(data) < count:
            part = await self.reader.read(min(4096, count - len(data)))
            if not part:
                raise asyncio.IncompleteReadError(bytes(data), count)
            data += part
            self.due = max(getattr(self, "due", 0), time.monotonic() - 0.05) + len(part) / self.rate
            if (wait := self.due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
        return bytes(data)

    async def read(self):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                first, length = await self.exactly(2)
                if length >= 126:
                    length = int.from_bytes(await self.exactly(2 if length == 126 else 8), "big")
                payload = await self.exactly(length)
                if first == 0x88:
                    self.code = int.from_bytes(payload[:2], "big")
                elif first == 0x89:
                    self.writer.write(masked(0x8A, payload))
                elif first == 0x81:
                    self.take(json.loads(payload))
        self.code = self.code or 1006
        self.changed.set()

    def take(self, frame):
        if isinstance(frame, list):
            self.arrays.append(frame)
        elif "method" in frame:
            self.note(frame["method"], frame["params"])
        else:
            self.replies[frame["id"]] = frame
        self.changed.set()

    def ask(self, method, **params):
        number = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def send(self, message):
        text = json.dumps(message).encode()
        assert len(text) < 65_536
        self.writer.write(masked(0x81, text))

    async def answered(self, numbers, seconds):
        await self.wait_for(lambda: self.code or all(number in self.replies for number in numbers), "replies", seconds)
        equal(self.code, None, "the connection")
        return [self.replies[number] for number in numbers]


@case("a slow link: 60 pages asked for at once all come, and a call in between is not held up by them", seconds=90)
async def slow_pages():
    with Gateway() as gateway:
        await prepare(gateway)
        async with SlowLink(gateway, "author", 500_000) as slow:
            pages = [slow.ask("conversation.history", conversation=f"big{n % TOPICS}", limit=100) for n in range(60)]
            ping, sent = slow.ask("ping"), slow.ask("conversation.createIfNotExists", conversation="small")
            replies = await slow.answered(pages, 60)
            equal([len(reply["result"]["messages"]) for reply in replies], [10] * 60, "pages")
            order = list(slow.replies)
            places = [number for number in order if number in pages]
            equal(all(abs(place - pages.index(number)) < 4 for place, number in enumerate(places)), True, f"about in order: {places}")
            equal(order.index(ping) < 12 and order.index(sent) < 14, True, f"ping and send are not behind the pages: {order}")


@case("a slow link: 400 topics opened at once all come, and a page asked for then comes before the rest", seconds=120)
async def slow_topics():
    with Gateway() as gateway:
        await prepare(gateway)
        async with SlowLink(gateway, "author", 1_000_000) as slow:
            others = [f"user:nobody{number}" for number in range(340)]
            rooms = [f"{kind}:big{number}" for number in range(TOPICS) for kind in ("messages", "participants", "conversation")]
            topics = rooms + others
            calls = [slow.ask("subscribe", topic=topic) for topic in topics]
            page = slow.ask("conversation.history", conversation="big3", limit=100)
            await slow.answered(calls, 30)
            await slow.answered([page], 30)
            seen = len(slow.told("subscription"))
            equal(seen < 300, True, f"the page comes after {seen} of 400 topics")
            await slow.wait_for(lambda: slow.code or len({event["topic"] for event in slow.told("subscription")}) == 400, "all topics", 60)
            equal(slow.code, None, "the connection")
            equal({event["state"] for event in slow.told("subscription")}, {"active"}, "states")


@case("a batch of pages comes as one array, however large, and what others say comes behind it", seconds=90)
async def slow_batch():
    with Gateway() as gateway:
        await prepare(gateway)
        async with SlowLink(gateway, "author", 1_000_000) as slow, await Client.connect(gateway.url, "author") as author:
            page = lambda n: {"jsonrpc": "2.0", "id": next(ids), "method": "conversation.history", "params": {"conversation": f"big{n % TOPICS}"}}
            ids = itertools.count(100)
            topics = [{"jsonrpc": "2.0", "id": f"s{n}", "method": "subscribe", "params": {"topic": f"messages:big{n}"}} for n in range(4)]
            slow.send(topics + [page(n) for n in range(28)])
            # An id that is in flight is answered at once, so this array has a reply before its turn comes.
            slow.send([{**topics[0], "method": "ping", "params": {}}] + [page(n) for n in range(31)])
            for number in range(8):
                await author.call("conversation.send", conversation=f"big{number}", text="meanwhile")
            last = slow.ask("ping")
            await slow.wait_for(lambda: slow.code or len(slow.arrays) == 2 and last in slow.replies, "two arrays", 60)
            equal(slow.code, None, "the connection")
            sizes = [sorted(len(reply.get("result", {}).get("messages", [])) for reply in array) for array in slow.arrays]
            equal([len(size) for size in sizes], [32, 32], "entries")
            equal([size.count(0) for size in sizes], [4, 1], "all others are pages")
            await slow.wait_for(lambda: all(slow.latest(f"messages:big{n}") for n in range(4)), "topics of the batch")


@case("session.close in a batch of pages: each entry is answered, then 1000, and nothing is left")
async def close_in_batch():
    with Gateway() as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, "author") as leaving, await Client.connect(gateway.url, "author") as staying:
            page = {"jsonrpc": "2.0", "method": "conversation.history"}
            pages = [{**page, "id": number, "params": {"conversation": f"big{number}", "limit": 100}} for number in range(12)]
            array = (await leaving.answers([*pages, {"jsonrpc": "2.0", "id": "close", "method": "session.close"}]))[0]
            replies = {reply["id"]: reply for reply in array}
            equal(len(replies), 13, "entries")
            equal(replies["close"].get("result"), {}, "session.close")
            others = [reply.get("error", {}).get("code", "page") for name, reply in replies.items() if name != "close"]
            equal(set(others) <= {"page", 100}, True, f"pages, or the session is closed: {others}")
            equal(await leaving.close_code(), 1000, "the connection")
            await gateway.until(lambda: gateway.metric("parley_sessions") == 1, 5, "one connection is left")
            await staying.call("ping")


@case("calls behind a page that waits for room take effect in order: who left does not send")
async def order_behind_pages():
    with Gateway() as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, "leaver") as leaver:
            await leaver.call("conversation.createIfNotExists", conversation="big0")
            pages = [await leaver.start("conversation.history", conversation="big0", limit=100) for _ in range(8)]
            left = await leaver.start("participant.delete", conversation="big0", user="leaver")
            sent = await leaver.start("conversation.send", conversation="big0", text="too late")
            back = await leaver.start("conversation.createIfNotExists", conversation="big0")
            replies = [await call for call in (*pages, left, sent, back)]
            equal(["result" in reply for reply in replies], [True] * 9 + [False, True], "pages, leaving, sending, coming back")
            equal(replies[9]["error"]["code"], 102, "sending")
            equal((await leaver.call("conversation.get", conversation="big0"))["conversation"] is not None, True, "inside in the end")


PAGES = 'parley_operations_total{method="conversation.history",outcome="ok"}'
STUCK = int(os.environ.get("PARLEY_E2E_STUCK", 12))


@case(f"{STUCK} clients that ask for much and read nothing cost what the limit allows, and nothing afterwards", seconds=240)
async def many_stuck():
    with Gateway(SERVER_LIMITS_OUTBOUND_BYTES=524_288) as gateway:
        await prepare(gateway)
        before = gateway.resident()
        stuck = [Stuck(gateway, "author") for _ in range(STUCK)]
        page = lambda n: {"jsonrpc": "2.0", "id": f"p{n}", "method": "conversation.history", "params": {"conversation": f"big{n % TOPICS}"}}
        for peer in stuck:
            for number in range(60):
                peer.call("conversation.history", conversation=f"big{number % TOPICS}", limit=100)
            for number in range(TOPICS):
                peer.call("subscribe", topic=f"messages:big{number}")
            peer.send([page(n) for n in range(32)])
        await settled(gateway)
        waiting, growth = gateway.metric("parley_queue_bytes"), (gateway.resident() - before) / 1e6
        equal(waiting > STUCK * 150_000, True, f"they left {waiting / 1e6:.1f} MB unread")
        equal(waiting < STUCK * 524_288, True, f"they left {waiting / 1e6:.1f} MB unread")
        equal(growth < 20 + STUCK * 0.6, True, f"memory is bounded, not {growth:.0f} MB more")
        equal(gateway.status("/livez"), 200, "/livez")
        for peer in stuck:
            peer.socket.close()
        read = gateway.metric(PAGES)
        await gateway.until(lambda: gateway.metric("parley_connections") <= 2, 20, "all are gone")
        await settled(gateway)
        more = gateway.metric(PAGES) - read
        equal(more, 0, "pages that were read for nobody")
        rest = (gateway.resident() - before) / 1e6
        equal(rest < 25, True, f"memory is returned but for {rest:.0f} MB")
        if "PARLEY_E2E_STUCK" in os.environ:
            print(f"{STUCK} clients: {waiting / 1e6:.1f} MB waiting, {growth:.1f} MB more resident, {rest:.1f} MB afterwards")


async def settled(gateway, seconds=150):
    """Waits until the queues do not grow any more."""
    deadline, last, since = time.monotonic() + seconds, None, 0
    while time.monotonic() < deadline:
        now = gateway.metric("parley_queue_bytes"), gateway.metric(PAGES)
        if now != last:
            last, since = now, time.monotonic()
        if time.monotonic() - since > 3:
            return
        await asyncio.sleep(0.2)


@case("who sends and never reads is freed after heartbeatMs and graceMs, as is who reads a byte now and then", seconds=60)
async def write_stall():
    with Gateway(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=1000) as gateway:
        await prepare(gateway)
        async with await Client.connect(gateway.url, "alive") as alive:
            silent, dripping = Stuck(gateway, "author"), Stuck(gateway, "author")
            for peer in (silent, dripping):
                for number in range(60):
                    peer.call("conversation.history", conversation=f"big{number % TOPICS}", limit=100)
                peer.socket.setblocking(False)
            start, ended = time.monotonic(), {}
            while len(ended) < 2 and time.monotonic() < start + 20:
                for peer in (silent, dripping):
                    with contextlib.suppress(BlockingIOError):
                        try:
                            peer.socket.send(masked(0x89, b"alive"))
                            if peer is dripping:
                                peer.socket.recv(1)
                        except OSError as error:
                            if isinstance(error, BlockingIOError):
                                raise
                            ended.setdefault(peer, time.monotonic() - start)
                await asyncio.sleep(0.1)
            equal(len(ended), 2, "both are freed")
            equal(all(1.5 < took < 8 for took in ended.values()), True, f"in time, not after {list(ended.values())}")
            await gateway.until(lambda: cut_off(gateway) == 2, 3, "as slow readers")
            equal(alive.closed, None, "who has nothing to read stays")


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
