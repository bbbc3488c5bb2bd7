"""permessage-deflate (RFC 7692): offers, random messages both ways against the echo, and bounds against the gateway."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import zlib

from websockets.asyncio.client import connect
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from checks import Checks, case, equal, within
from client import PATIENCE, Client
from gateway import Gateway, free_port
from tokens import token
from wire import Wire, masked, upgrade

BEFORE_SESSION = 8_192
LIMIT = 131_072
TAIL = b"\x00\x00\xff\xff"
ANSWER = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
SEED = int(os.environ.get("PARLEY_E2E_SEED", random.randrange(2**32)))


def deflated(text, bits=15):
    """A message as a client compresses it, without a context."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -bits)
    data = stream.compress(text.encode() if isinstance(text, str) else text) + stream.flush(zlib.Z_SYNC_FLUSH)
    return data.removesuffix(TAIL)


@contextlib.asynccontextmanager
async def echo(*flags):
    """The address of an echo that runs as a process of its own."""
    port = free_port()
    command = [os.environ["PARLEY_BINARY"], "echo", "--listen", f"127.0.0.1:{port}", *flags]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                except OSError:
                    await asyncio.sleep(0.02)
        yield f"ws://127.0.0.1:{port}/"
        equal(process.poll(), None, "the echo lives")
    finally:
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait, PATIENCE)


def some_json(source, size):
    """JSON of about this many bytes: words, numbers, nested lists, scalars of every length."""
    words = ["alpha", "beta", "ключ", "漢字", "😀", "name", "value", "\u2028", '"quoted"']
    parts = []
    while len(json.dumps(parts)) < size and len(parts) < 400:
        parts.append(source.choice([source.choice(words), source.random(), source.randrange(2**40), None, {source.choice(words): [1]}]))
    text = json.dumps(parts, ensure_ascii=source.random() < 0.5)
    return (text * (size // len(text) + 1))[: max(1, size)]


async def fails(socket, payloads, code, reason=None):
    """Sends frames and expects the close code."""
    for first, payload in payloads:
        socket.write(masked_any(first, payload))
    while True:
        first, payload = await socket.frame()
        if first == 0x88:
            break
    equal(int.from_bytes(payload[:2], "big"), code, payload[2:].decode())
    if reason:
        equal(payload[2:].decode(), reason)


def masked_any(first, payload):
    """A client's frame of any length, masked with zeros."""
    if len(payload) < 65_536:
        return masked(first, payload)
    return bytes([first, 0xFF]) + len(payload).to_bytes(8, "big") + bytes(4) + payload


@contextlib.asynccontextmanager
async def opened(gateway, session=False):
    """A socket with compression agreed on, behind `hello` and, with a session, behind its reply."""
    async with Wire.open(gateway) as wire:
        wire.write(upgrade("Sec-WebSocket-Extensions: permessage-deflate"))
        status, head = await wire.head()
        equal(status, 101)
        equal(ANSWER in head, True, head)
        await wire.frame()
        if session:
            wire.write(masked(0xC1, deflated(call("session.open", token=token("ada")))))
            equal((await wire.frame())[0], 0x81, "what tells about a session is not compressed")
        yield wire


def call(method, pad=0, **params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + " " * pad


def padded(size):
    """A call of exactly this many bytes."""
    text = call("ping")
    return text + " " * (size - len(text))


@case("every offer is answered or declined, never an error", seconds=60)
async def offers(gateway):
    rows = {
        "permessage-deflate": ANSWER,
        "permessage-deflate; client_max_window_bits": ANSWER,
        "permessage-deflate; client_max_window_bits=8": ANSWER,
        "permessage-deflate; server_max_window_bits=8": f"{ANSWER}; server_max_window_bits=8",
        'permessage-deflate; server_max_window_bits="10"': f"{ANSWER}; server_max_window_bits=10",
        "permessage-deflate; server_max_window_bits=15; server_no_context_takeover": f"{ANSWER}; server_max_window_bits=15",
        "foo; x=1, permessage-deflate; x, permessage-deflate; server_max_window_bits=9": f"{ANSWER}; server_max_window_bits=9",
        ", ".join(["permessage-deflate; server_max_window_bits=7"] * 300 + ["permessage-deflate"]): ANSWER,
        "constructor": None,
        ",;constructor": None,
        "=": None,
        '="': None,
        "permessage-deflate; client_max_window_bits=99": None,
        "permessage-deflate; unknown": None,
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover": None,
        **{f"permessage-deflate; server_max_window_bits={bits}": None for bits in ["0", "7", "16", "256", "-1", "08", "", '""', "٩", "1e1"]},
    }
    with Checks() as checks:
        for offer, answer in rows.items():
            async with Wire.open(gateway) as wire:
                wire.write(upgrade(f"Sec-WebSocket-Extensions: {offer}"))
                status, head = await wire.head()
                fields = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-extensions:")]
                checks.equal((status, fields), (101, [answer] if answer else []), offer[:80])


@case("random JSON from a byte to a mebibyte comes back, with every offer, with and without contexts", seconds=240)
async def random_messages():
    source = random.Random(SEED)
    bits = [(None, None), (9, None), (15, 15), (None, True), (12, 9)]
    with Checks() as checks:
        for flags in [(), ("--context-takeover",)]:
            async with echo(*flags) as url:
                for forgets_server, forgets_client, (server, client) in itertools.product([False, True], [False, True], bits):
                    offer = ClientPerMessageDeflateFactory(forgets_server, forgets_client, server, client)
                    async with connect(url, extensions=[offer], compression=None, max_size=None, proxy=None) as socket:
                        extension = socket.response.headers.get("Sec-WebSocket-Extensions", "")
                        checks.true(extension.startswith("permessage-deflate"), f"{offer}: {extension}")
                        sizes = [1, 2, 255, 256, 257] + [int(2 ** source.uniform(0, 15)) for _ in range(12)]
                        sizes += [source.randrange(2**15, 2**20), 1 << 20] if (server, client) == (None, True) else []
                        texts = [some_json(source, size) for size in sizes]
                        for text in texts:
                            await socket.send(text)
                        for text in texts:
                            back = await within(socket.recv(), PATIENCE)
                            checks.true(back == text, f"seed {SEED}: {flags} {extension}: {len(text)} characters")


@case("fragments, binary messages and noise come back", seconds=60)
async def other_messages():
    source = random.Random(SEED)
    async with echo() as url:
        async with connect(url, compression="deflate", max_size=None, proxy=None) as socket:
            text = some_json(source, 30_000)
            await socket.send([text[start : start + 777] for start in range(0, len(text), 777)])
            equal(await socket.recv() == text, True, "fragments")
            for data in [source.randbytes(100_000), bytes(100_000), b""]:
                await socket.send(data)
                equal(await socket.recv() == data, True, "binary")


@case("a message becomes as large as the limit and no larger, before a session and behind", seconds=60)
async def limits(gateway):
    for has_session, limit in [(False, BEFORE_SESSION), (True, LIMIT)]:
        reason = f"a message has at most {limit} bytes"
        async with opened(gateway, has_session) as wire:
            wire.write(masked_any(0xC1, deflated(padded(limit))))
            equal(json.loads((await wire.frame())[1])["id"], 1, "exactly the limit")
            await fails(wire, [(0xC1, deflated(padded(limit + 1)))], 1009, reason)
        async with opened(gateway, has_session) as wire:
            # What cannot be made smaller is a little larger on the wire than the limit.
            stored = zlib.compressobj(0, zlib.DEFLATED, -15)
            data = stored.compress(padded(limit).encode()) + stored.flush(zlib.Z_SYNC_FLUSH)
            equal(len(data) > limit, True)
            wire.write(masked_any(0xC1, data.removesuffix(TAIL)))
            equal(json.loads((await wire.frame())[1])["id"], 1, "exactly the limit, stored")
            await fails(wire, [(0xC1, bytes(2 * limit))], 1009, reason)


@case("a bomb of 64 MiB costs nothing, whole, in fragments, before a session and behind", seconds=60)
async def bombs(gateway):
    bomb = deflated(bytes(64 << 20))
    pieces = [bomb[start : start + 500] for start in range(0, len(bomb), 500)]
    fragments = [(0x41, pieces[0]), *((0x00, piece) for piece in pieces[1:-1]), (0x80, pieces[-1])]
    before = gateway.resident()
    for has_session, limit in [(False, BEFORE_SESSION), (True, LIMIT)]:
        for _ in range(10):
            for frames in [[(0xC1, bomb)], fragments]:
                async with opened(gateway, has_session) as wire:
                    await fails(wire, frames, 1009, f"a message has at most {limit} bytes")
    grown = gateway.resident() - before
    equal(grown < 8 << 20, True, f"{grown} bytes more")


@case("a broken stream ends its connection alone", seconds=60)
async def broken(gateway):
    good = deflated(call("ping"))
    rows = {
        "no block": ([(0xC1, b"\x07")], 1007),
        "a distance before the beginning": ([(0xC1, b"\xf2\x00\x11\x00\x00")], 1007),
        "lengths that do not fit": ([(0xC1, b"\x00\x05\x00\xfa\xfe\x48")], 1007),
        "bytes behind the end": ([(0xC1, b"\x03\x00\xff\xff")], 1007),
        "a stream that is cut": ([(0xC1, good[:-4])], 1007),
        "no UTF-8": ([(0xC1, deflated(b'"\xff"'))], 1007),
        "a binary message": ([(0xC2, good)], 1003),
        "RSV1 on a continuation": ([(0x41, good), (0xC0, b"")], 1002),
        "RSV1 on a ping": ([(0xC9, b"")], 1002),
        "RSV2": ([(0xE1, good)], 1002),
    }
    async with opened(gateway) as witness:
        with Checks() as checks:
            for name, (frames, code) in rows.items():
                with checks.row(name):
                    async with opened(gateway) as wire:
                        await fails(wire, frames, code)
        for _ in range(3):
            witness.write(masked(0xC1, good))
            equal(json.loads((await witness.frame())[1])["id"], 1, "another connection goes on")
    async with Wire.open(gateway) as wire:
        wire.write(upgrade())
        await wire.head()
        await wire.frame()
        await fails(wire, [(0xC1, good)], 1002)


@case("snapshots and replies come compressed to those who offered it, and once for all of them", seconds=60)
async def snapshots(gateway):
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for number in range(6):
            options = {"compression": "deflate"} if number % 2 == 0 else {}
            clients.append(await stack.enter_async_context(await Client.connect(gateway.url, f"user{number}", **options)))
        for client in clients:
            await client.call("conversation.createIfNotExists", conversation="zip")
            await client.call("subscribe", topic="messages:zip")
        sent = gateway.metric('parley_compressed_messages_total{direction="out"}')
        for number in range(5):
            await clients[0].call("conversation.send", conversation="zip", text=f"message {number} " * 40)
        for client in clients:
            await client.wait_for(
                lambda: len((client.latest("messages:zip") or {}).get("snapshot") or []) == 5, "all five messages")
        newest = {json.dumps(client.latest("messages:zip"), sort_keys=True) for client in clients}
        equal(len(newest), 1, "all see the same")
        await gateway.until(
            lambda: gateway.metric('parley_compressed_messages_total{direction="out"}') >= sent + 15, PATIENCE, "they came compressed")


@case("compression is switched off by its setting")
async def off():
    with Gateway(SERVER_COMPRESSION_ENABLED="false") as gateway:
        async with Wire.open(gateway) as wire:
            wire.write(upgrade("Sec-WebSocket-Extensions: permessage-deflate"))
            status, head = await wire.head()
            equal((status, "extensions" in head.lower()), (101, False), head)


@case("a gateway that keeps contexts speaks to clients that do and that do not", seconds=60)
async def contexts():
    with Gateway(SERVER_COMPRESSION_CONTEXT_TAKEOVER="true") as gateway:
        answers = {
            ClientPerMessageDeflateFactory(): "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12",
            ClientPerMessageDeflateFactory(client_max_window_bits=None):
                "permessage-deflate; client_no_context_takeover; server_max_window_bits=12",
            ClientPerMessageDeflateFactory(True, True): ANSWER,
        }
        for offer, answer in answers.items():
            async with await Client.connect(gateway.url, "ada", extensions=[offer]) as client:
                equal(client.socket.response.headers["Sec-WebSocket-Extensions"], answer)
                await client.call("conversation.createIfNotExists", conversation="room")
                await client.call("subscribe", topic="messages:room")
                for number in range(20):
                    await client.call("conversation.send", conversation="room", text=f"{number} " + "word " * (number * 30))
                    page = await client.call("conversation.history", conversation="room", limit=30)
                    equal(page["messages"][0]["plaintext"].startswith(f"{number} "), True)


@case("two thousand who vanish in the middle of it leave the streams whole", seconds=100)
async def vanishing(gateway):
    payload = deflated(call("ping", pad=7_000))

    async def one(number):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            async with opened(gateway) as wire:
                wire.write(masked(0xC1, payload) * 3 + masked(0x41, payload)[: 5 + number % 40])

    for start in range(0, 2_000, 200):
        await asyncio.gather(*(one(number) for number in range(start, start + 200)))
    async with opened(gateway) as wire:
        wire.write(masked(0xC1, payload))
        equal(json.loads((await wire.frame())[1])["id"], 1, "a new one is served")
