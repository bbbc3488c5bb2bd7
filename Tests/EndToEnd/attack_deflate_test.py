"""Compressed messages that broke other servers, row by row of Tests/Attacks.md."""

import contextlib
import json
import random
import re
import zlib

from attack import Cost, close_of, opened, scaled, text_of
from checks import Checks, case, equal, within
from client import connected
from flow import send, subscribe
from gateway import Gateway
from tokens import token
from wire import Wire, masked, upgrade

LIMIT, BEFORE_SESSION = 131_072, 8_192
OFFER = "Sec-WebSocket-Extensions: permessage-deflate"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()


def deflated(data, level=9):
    """A message as RFC 7692 §7.2.1 wants it: flushed, and without the four bytes that every flush ends with."""
    coder = zlib.compressobj(level, wbits=-15)
    return (coder.compress(data) + coder.flush(zlib.Z_SYNC_FLUSH))[:-4]


def inflated(payload):
    return zlib.decompressobj(wbits=-15).decompress(payload + b"\0\0\xff\xff")


def compressing(gateway, user=None, offer=OFFER):
    return opened(gateway, user, offer)


@contextlib.contextmanager
def peak(gateway, most, what):
    """Checks that memory never grew by more in a block, not even for a moment."""
    with open(f"/proc/{gateway.process.pid}/clear_refs", "w") as file:
        file.write("5")  # Forgets the peak (proc(5)).
    before = gateway.resident()
    yield
    growth = gateway.resident("VmHWM") - before
    equal(growth < most, True, f"{what}: at most {growth / 1e6:.1f} MB more")


async def ends_with(wire, codes, word=""):
    code, reason = await close_of(wire)
    equal(code in (codes if isinstance(codes, tuple) else (codes,)), True, f"the close code {code} {reason!r}, expected {codes}")
    equal(word in reason, True, f"{word} in the reason {reason!r}")
    equal(await wire.end(), b"", "nothing follows")


@case("CVE-2026-27571, CVE-2018-1000518, CVE-2026-5680: bombs end with 1009 before and after session.open, and never take memory")
async def bombs(gateway):
    size = 64 << 20
    bomb = deflated(bytes([0x20]) * size)
    stored = deflated(PING + b" " * (size // 8), level=9)
    async with contextlib.AsyncExitStack() as stack:
        with Checks() as check, peak(gateway, 16e6, "bombs"):
            for user, limit in ((None, BEFORE_SESSION), ("bombs", LIMIT)):
                whole, half = bomb[:limit], bomb[: limit // 2]
                rows = {
                    "in one frame": masked(0xC1, whole),
                    "in fragments": masked(0x41, half[:1000])
                    + b"".join(masked(0x00, half[n : n + 500]) for n in range(1000, len(half), 500))
                    + masked(0x80, b""),
                    "behind a good beginning": masked(0xC1, stored[:limit]),
                    "as a binary message": masked(0xC2, whole),
                }
                for name, data in rows.items():
                    with check.row(f"{name}, session of {user}"):
                        wire = await stack.enter_async_context(compressing(gateway, user))
                        wire.write(data)
                        await ends_with(wire, 1009, str(limit))


@case("CVE-2026-27571: bombs by what earlier messages left behind are 1009, or 1007 where nothing is left behind")
async def takeover_bombs():
    filler = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=3_000)).encode()
    for takeover in ("false", "true"):
        with Gateway(SERVER_COMPRESSION_CONTEXT_TAKEOVER=takeover) as gateway, peak(gateway, 16e6, "bombs with context"):
            for _ in range(20):
                async with Wire.open(gateway) as wire:
                    wire.write(upgrade(f"{OFFER}; client_max_window_bits", f"Authorization: Bearer {token('takeover')}"))
                    _, head = await wire.head()
                    keeps = "client_no_context_takeover" not in head
                    equal(keeps, takeover == "true", f"whether a context is kept: {head}")
                    bits = re.search("client_max_window_bits=([0-9]+)", head)
                    coder = zlib.compressobj(9, wbits=-int(bits[1]) if bits else -15)
                    for data, codes in ((b'["' + filler + b'"]', None), (filler * 500, 1009 if keeps else (1002, 1007))):
                        wire.write(masked(0xC1, (coder.compress(data) + coder.flush(zlib.Z_SYNC_FLUSH))[:-4]))
                        if codes:
                            await ends_with(wire, codes)
                        else:
                            await wire.frame()
                            equal((await text_of(wire))[0]["error"]["code"], -32600, "an answer")


@case("more frames: deflate streams that are damaged, ended early, empty or odd")
async def odd_streams(gateway):
    stored = lambda data, final=0: bytes([final]) + len(data).to_bytes(2, "little") + (len(data) ^ 0xFFFF).to_bytes(2, "little") + data
    finished = zlib.compressobj(9, wbits=-15)
    finished = finished.compress(PING) + finished.flush()
    bad = (1002, 1007)
    rows = {
        "an invalid block type": (b"\x07" + bytes(20), bad),
        "garbage": (b"\xff" * 40, bad),
        "a distance beyond the beginning": (bytes([0x4B, 0x04, 0xA2, 0x00, 0x10]) + b"\x4b\x44\x87\xff", bad),
        "a stored block whose length is not its complement": (b"\x00\x05\x00\x00\x00hello", bad),
        "a stored block that ends too soon": (b"\x00\x64\x00\x9b\xffhello", bad),
        "Huffman codes that are over-subscribed": (b"\xed\xff\xff\xff\xff\xff\xff\xff\xff\xff", bad),
        "text that inflates to no UTF-8": (deflated(b'"\xff"'), 1007),
        "text that ends within a letter": (deflated('"é"'.encode()[:2]), 1007),
        "a stored block": (stored(PING) + b"\0", "result"),
        "stored blocks of one byte": (b"".join(stored(PING[n : n + 1]) for n in range(len(PING))) + b"\0", "result"),
        "a thousand empty blocks": (b"\0\0\0\xff\xff" * 1000 + deflated(PING), "result"),
        "a last block (RFC 7692 §7.2.3.4)": (finished + b"\0", "result"),
        "a last block without a byte behind it": (finished, ("result", *bad)),
        "what follows a last block": (finished + b"trailing bytes", ("result", *bad)),
        "the tail that should have been taken off": (deflated(PING) + b"\0\0\xff\xff", ("result", *bad)),
        "nothing at all": (b"", -32700),
        "a single zero": (b"\0", -32700),
        "only empty blocks": (b"\0\0\0\xff\xff" * 10 + b"\0", -32700),
    }
    with Checks() as check:
        for user in (None, "streams"):
            for name, (data, expected) in rows.items():
                for form, frames in (
                    ("whole", masked(0xC1, data)),
                    ("byte by byte", masked(0x41, data[:1]) + b"".join(masked(0, data[n : n + 1]) for n in range(1, min(len(data), 900)))
                     + masked(0x80, data[900:])),
                ):  # fmt: skip
                    with check.row(f"{name}, {form}, session of {user}"):
                        async with compressing(gateway, user) as wire:
                            wire.write(frames)
                            first, payload = await wire.frame()
                            if first == 0x88:
                                got = int.from_bytes(payload[:2], "big")
                                equal(await wire.end(), b"", "nothing follows")
                            else:
                                answer = json.loads(inflated(payload) if first == 0xC1 else payload)
                                got = answer["error"]["code"] if "error" in answer else "result"
                            equal(
                                got in (expected if isinstance(expected, tuple) else (expected,)), True, f"got {got}, expected {expected}"
                            )
                            if first != 0x88:
                                # Nothing of it is left for the next message.
                                wire.write(masked(0xC1, deflated(PING)))
                                equal("result" in await text_of(wire), True, "the next message")


@case("more frames: RSV1 where compression was agreed on stands on the first frame of a message only")
async def misplaced_bits(gateway):
    data = deflated(PING)
    rows = {
        "a compressed ping": masked(0xC9, b""),
        "a compressed pong": masked(0xCA, deflated(b"x")),
        "a compressed close": masked(0xC8, b""),
        "on a continuation": masked(0x41, data[:5]) + masked(0xC0, data[5:]),
        "on a continuation of plain text": masked(0x01, b"{") + masked(0xC0, data),
        "RSV2 as well": masked(0xE1, data),
        "RSV3 as well": masked(0xD1, data),
        "a message within a message": masked(0x41, data[:5]) + masked(0xC1, data),
    }
    with Checks() as check:
        for name, frames in rows.items():
            with check.row(name):
                async with compressing(gateway) as wire:
                    wire.write(frames)
                    await ends_with(wire, 1002)
        with check.row("a ping between compressed fragments"):
            async with compressing(gateway) as wire:
                wire.write(masked(0x41, data[:5]) + masked(0x89, b"p") + masked(0x80, data[5:]))
                equal(await wire.frame(), (0x8A, b"p"), "the pong")
                equal("result" in await text_of(wire), True, "the answer")
        with check.row("plain messages between compressed ones"):
            async with compressing(gateway) as wire:
                for frame in (masked(0x81, PING), masked(0xC1, data), masked(0x81, PING)):
                    wire.write(frame)
                    equal("result" in await text_of(wire), True, "the answer")


@case("complaint 36: who drops off while much is compressed leaves the pool whole; short messages are sent as they are", seconds=300)
async def dropped_while_compressing():
    count = scaled(150, 2500)
    with Gateway() as gateway:
        async with connected(gateway, "author", compression="deflate") as author:
            await author.call("conversation.createIfNotExists", conversation="pool")

            async def crowd(count):
                async with contextlib.AsyncExitStack() as stack:
                    wires = [await stack.enter_async_context(compressing(gateway, f"pool{number}")) for number in range(count)]
                    for wire in wires:
                        for method, params in (
                            ("conversation.createIfNotExists", {"conversation": "pool"}),
                            ("subscribe", {"topic": "messages:pool"}),
                        ):
                            text = json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).encode()
                            wire.write(masked(0xC1, deflated(text)))
                    for wire in wires:
                        first, payload = 0, b""
                        while b'"subscription"' not in payload:
                            first, payload = await within(wire.frame(), 20)
                            payload = inflated(payload) if first & 0x40 else payload
                            equal(first & 0x40 == 0 if len(payload) < 256 else True, True, "a short message is not compressed")
                    await send(author, "pool", "wörter " * 1200)
                    first, payload = await wires[0].frame()
                    equal((first, len(inflated(payload)) > 8000), (0xC1, True), "a long one is, in one frame")

            await crowd(20)
            with Cost(gateway) as cost:
                for _ in range(2):
                    await crowd(count)
            await gateway.until(lambda: gateway.metric("parley_connections") <= 2, 20, "they are gone")
            equal(cost.bytes < 40e6, True, f"{cost.bytes / 1e6:.1f} MB more afterwards")
            async with connected(gateway, "after", compression="deflate") as after:
                await after.call("conversation.createIfNotExists", conversation="pool")
                await subscribe(after, "messages:pool")
                sent = await send(author, "pool", "x" * 9000)
                await after.wait_for(lambda: (after.latest("messages:pool") or {"snapshot": []})["snapshot"][:1] == [sent], "a new client")
