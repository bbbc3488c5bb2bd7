"""Frames that broke other servers, row by row of Tests/Attacks.md, and every frame that RFC 6455 forbids."""

import asyncio
import contextlib
import json
import time

from attack import Cost, Deaf, close_of, linear, one_by_one, opened, request, scaled, text_of
from checks import Checks, case, equal
from client import Client
from gateway import Gateway
from tokens import token
from wire import head, masked

LIMIT, BEFORE_SESSION = 131_072, 8_192
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
CONTROL = {"close": 0x88, "ping": 0x89, "pong": 0x8A}


async def ends_with(wire, code, word=""):
    """The server closes with a code, and the connection is over soon after."""
    start = time.monotonic()
    got, reason = await close_of(wire)
    equal(got, code, f"the close code, with {reason!r}")
    equal(word in reason, True, f"{word} in the reason {reason!r}")
    equal(await wire.end(), b"", "nothing follows")
    equal(time.monotonic() - start < 5, True, "the end comes soon")


@case("CVE-2020-27813, CVE-2020-13935: lengths of 2^63 and about, and lengths that are not minimal")
async def lengths(gateway):
    rows = {
        "2^63-1": (2**63 - 1, 8, 1009),
        "2^63": (2**63, 8, 1002),
        "2^64-1": (2**64 - 1, 8, 1002),
        "2^62": (2**62, 8, 1009),
        "2^32": (2**32, 8, 1009),
        "2^32-1": (2**32 - 1, 8, 1009),
        "125 in two bytes": (125, 2, 1002),
        "0 in two bytes": (0, 2, 1002),
        "65,535 in eight bytes": (65_535, 8, 1002),
        "1 in eight bytes": (1, 8, 1002),
    }
    with Checks() as check:
        for user, limit in ((None, BEFORE_SESSION), ("lengths", LIMIT)):
            for name, (length, size, code) in rows.items():
                for first in (0x81, 0x82, 0x01):
                    with check.row(f"{name}, first byte {first:#x}, session of {user}"):
                        async with opened(gateway, user) as wire:
                            wire.write(head(first, length, size) + b"x" * 100)
                            await ends_with(wire, code, str(limit) if code == 1009 else "")
        for first in CONTROL.values():
            with check.row(f"a control frame {first:#x} of 2^63-1 bytes"):
                async with opened(gateway) as wire:
                    wire.write(head(first, 2**63 - 1, 8))
                    await ends_with(wire, 1002)


@case("CVE-2020-27813: continuations whose sizes sum past 2^63, or one byte past the limit")
async def sums(gateway):
    with Checks() as check:
        for user, limit in ((None, BEFORE_SESSION), ("sums", LIMIT)):
            for name, rest in (("2^63-1 more", head(0x80, 2**63 - 1, 8)), ("one more", masked(0x80, b" "))):
                with check.row(f"{name}, session of {user}"):
                    async with opened(gateway, user) as wire:
                        half = limit // 2
                        wire.write(masked(0x01, PING + b" " * (half - len(PING))) + masked(0x00, b" " * (limit - half)))
                        wire.write(rest)
                        await ends_with(wire, 1009, str(limit))
            with check.row(f"exactly the limit, session of {user}"):
                async with opened(gateway, user) as wire:
                    half = limit // 2
                    wire.write(masked(0x01, PING + b" " * (half - len(PING))) + masked(0x80, b" " * (limit - half)))
                    equal("result" in await text_of(wire), True, "an answer")


@case("CVE-2016-10542: a header that announces much and stalls takes no memory")
async def stalled(gateway):
    async with opened(gateway) as wire:
        wire.write(head(0x82, 1 << 30, 8))
        await ends_with(wire, 1009, str(BEFORE_SESSION))
    async with contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(opened(gateway, "stalled")) for _ in range(scaled(200, 2000))]
        before = gateway.resident("VmData")
        for wire in wires:
            wire.write(head(0x81, LIMIT, 8) + b"x" * 100)
        await asyncio.sleep(0)
        # Each is taken in when its next byte could be answered: a bad one ends it.
        for wire in wires[:20]:
            wire.write(b"\xff")
            await ends_with(wire, 1007)
        growth = gateway.resident("VmData") - before
        equal(growth < len(wires) * LIMIT / 8, True, f"{growth / 1e6:.1f} MB for {len(wires)} announcements of {LIMIT} bytes")


@case("CVE-2026-48779, CVE-2026-62389: tiny fragments for ever end with 1009, tiny pieces of a frame cost what they weigh")
async def fragments(gateway):
    with Checks() as check:
        for user in (None, "fragments"):
            for name, first, next in (
                ("empty continuations", masked(0x01, b""), masked(0x00, b"")),
                ("continuations of one byte", masked(0x01, b" "), masked(0x00, b" ")),
                ("continuations with pings between", masked(0x02, b""), masked(0x00, b"") + masked(0x89, b"")),
            ):
                with check.row(f"{name}, session of {user}"):
                    async with opened(gateway, user) as wire:
                        wire.write(first + next * 3000)
                        await ends_with(wire, 1009, "1024")

    async def pieces(size):
        async with opened(gateway, "pieces") as wire:
            await one_by_one(wire, masked(0x81, b"[" + b" " * (size - 2) + b"]"))
            equal((await text_of(wire))["error"]["code"], -32600, "an answer")

    await linear(gateway, pieces, 6000, "a frame byte by byte")


@case("GHSA-677m-j7p3-52f9: a message that is begun and never ended holds at most its own bytes, and ends with its session's time")
async def unfinished():
    with Gateway(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500) as gateway:
        async with contextlib.AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(opened(gateway, "unfinished")) for _ in range(50)]
            before = gateway.resident()
            for wire in wires:
                wire.write(masked(0x01, b"x" * 100_000))
                await wire.writer.drain()
            for wire in wires[:10]:
                wire.write(masked(0x81, b""))
                await ends_with(wire, 1002)
            growth = gateway.resident() - before
            equal(growth < 50 * 2.5 * 100_000, True, f"{growth / 1e6:.1f} MB for 50 messages of 0.1 MB")
            # Nobody answers the pings.
            for wire in wires[10:]:
                await wire.end()
        left = lambda: gateway.metric("parley_connections")
        await gateway.until(lambda: left() <= 1, 10, "all connections are gone")


@case("CVE-2021-3690: pongs that nobody asked for, and pings whose pongs nobody reads", seconds=600)
async def pongs():
    with Gateway() as gateway:
        async with opened(gateway, "pongs") as wire:
            many = masked(0x8A, bytes(125)) * 1000
            for _ in range(5):
                wire.write(many)
                await wire.writer.drain()
            wire.write(request("ping"))
            await text_of(wire)
            with Cost(gateway) as cost:
                for _ in range(scaled(50, 1000)):
                    wire.write(many)
                    await wire.writer.drain()
                wire.write(request("ping"))
                equal("result" in await text_of(wire), True, "an answer")
            equal(cost.bytes < 4e6, True, f"{cost.bytes / 1e6:.1f} MB more after the pongs")
        deaf = Deaf(gateway, "pings")
        closed = lambda: gateway.metric('parley_connections_closed_total{cause="slow_reader"}')
        with Cost(gateway) as cost:
            pings = masked(0x89, bytes(125)) * 1000
            for _ in range(300):
                if not await asyncio.to_thread(deaf.send, pings):
                    break
            await gateway.until(lambda: closed() == 1, 20, "who pings without reading is cut off")
        equal(cost.bytes < 8e6, True, f"{cost.bytes / 1e6:.1f} MB more after the pings")
        deaf.socket.close()


@case("GHSA-j5vq-62gr-8v3r: text that is no UTF-8 ends with 1007 at the byte that makes it so; a letter may be cut by fragments")
async def texts(gateway):
    bad = {
        "a byte that never is": b"\xff",
        "a continuation byte alone": b"\x80",
        "an overlong slash": b"\xc0\xaf",
        "an overlong NUL": b"\xe0\x80\x80",
        "a surrogate": b"\xed\xa0\x80",
        "beyond U+10FFFF": b"\xf4\x90\x80\x80",
        "a letter cut short": b"\xe2\x82x",
    }
    with Checks() as check:
        for name, data in bad.items():
            with check.row(f"{name}, whole"):
                async with opened(gateway) as wire:
                    wire.write(masked(0x81, b'{"a":"' + data + b'"}'))
                    await ends_with(wire, 1007)
            with check.row(f"{name}, in a fragment of a message that goes on"):
                async with opened(gateway) as wire:
                    wire.write(masked(0x01, b'{"a":"') + masked(0x00, data))
                    await ends_with(wire, 1007)
            with check.row(f"{name}, in a frame that stalls behind it"):
                async with opened(gateway) as wire:
                    wire.write(masked(0x81, b'{"a":"' + data + bytes(100))[:-90])
                    await ends_with(wire, 1007)
        with check.row("a text that ends within a letter"):
            async with opened(gateway) as wire:
                wire.write(masked(0x01, b'"') + masked(0x80, b"\xe2\x82"))
                await ends_with(wire, 1007)
        with check.row("a letter in four fragments"):
            async with opened(gateway) as wire:
                text = '{"jsonrpc":"2.0","id":"🦜","method":"ping"}'.encode()
                place = text.index("🦜".encode())
                wire.write(masked(0x01, text[: place + 1]))
                wire.write(masked(0x00, text[place + 1 : place + 2]) + masked(0x00, text[place + 2 : place + 3]))
                wire.write(masked(0x80, text[place + 3 :]))
                equal((await text_of(wire))["id"], "🦜", "the id")


@case("more frames: what RFC 6455 forbids ends with 1002")
async def forbidden(gateway):
    rows = {
        "RSV1 without compression": masked(0xC1, b"{}"),
        "RSV2": masked(0xA1, b"{}"),
        "RSV3": masked(0x91, b"{}"),
        "RSV1 on a continuation": masked(0x01, b"{") + masked(0xC0, b"}"),
        "a continuation of nothing": masked(0x80, b"{}"),
        "an unfinished continuation of nothing": masked(0x00, b"{}"),
        "a text within a text": masked(0x01, b"{") + masked(0x81, b"}"),
        "a binary message within a text": masked(0x01, b"{") + masked(0x82, b"}"),
        "an unmasked text": bytes([0x81, 2]) + b"{}",
        "a close of one byte": masked(0x88, b"\x03"),
        **{f"the opcode {opcode:#x}": masked(0x80 | opcode, b"{}") for opcode in (*range(3, 8), *range(0xB, 0x10))},
        **{f"a {name} with RSV1": masked(first | 0x40, b"") for name, first in CONTROL.items()},
        **{f"a {name} in fragments": masked(first & 0x7F, b"") for name, first in CONTROL.items()},
        **{f"a {name} of 126 bytes": masked(first, bytes(126)) for name, first in CONTROL.items()},
        **{f"an unmasked {name}": bytes([first, 0]) for name, first in CONTROL.items()},
    }
    with Checks() as check:
        for user in (None, "forbidden"):
            for name, data in rows.items():
                with check.row(f"{name}, session of {user}"):
                    async with opened(gateway, user) as wire:
                        # What was whole before is answered first, what follows is not.
                        wire.write(request("ping", id="before") + data + request("ping", id="after"))
                        equal((await text_of(wire))["id"], "before", "the answer to what came before")
                        await ends_with(wire, 1002)


@case("more frames: what is unusual and allowed is answered")
async def allowed(gateway):
    rows = {
        "a ping between fragments": (masked(0x01, PING[:9]) + masked(0x89, b"p") + masked(0x80, PING[9:]), [(0x8A, b"p"), 1]),
        "a pong nobody asked for": (masked(0x8A, b"x") + masked(0x81, PING), [1]),
        "empty fragments around a text": (masked(0x01, b"") + masked(0x00, PING) + masked(0x80, b""), [1]),
        "an empty text": (masked(0x81, b"") + masked(0x81, PING), [None, 1]),
        "a ping of 125 bytes": (masked(0x89, b"y" * 125), [(0x8A, b"y" * 125)]),
        "126 bytes in two": (masked(0x81, PING + b" " * (126 - len(PING))), [1]),
    }
    with Checks() as check:
        for name, (data, answers) in rows.items():
            with check.row(name):
                async with opened(gateway) as wire:
                    wire.write(data)
                    for expected in answers:
                        first, payload = await wire.frame()
                        got = json.loads(payload)["id"] if first == 0x81 else (first, payload)
                        equal(got, expected)
        with check.row("what follows a close is ignored"):
            async with opened(gateway) as wire:
                wire.write(masked(0x88, (1000).to_bytes(2, "big")) + masked(0x81, PING) + b"garbage" * 100)
                equal(await wire.frame(), (0x88, (1000).to_bytes(2, "big")), "the close is answered")
                equal(await wire.end(), b"", "and nothing else")


@case("complaint 38: close codes that may not be sent are 1002, the others come back, an empty close comes back empty")
async def close_codes(gateway):
    forbidden = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]
    fine = [1000, 1001, 1002, 1003, *range(1007, 1015), 3000, 3999, 4000, 4001, 4100, 4999]
    with Checks() as check:
        for code in forbidden + fine:
            with check.row(f"{code}"):
                async with opened(gateway) as wire:
                    wire.write(masked(0x88, code.to_bytes(2, "big") + "bye 👋".encode()))
                    await ends_with(wire, code if code in fine else 1002)
        with check.row("an empty close"):
            async with opened(gateway) as wire:
                wire.write(masked(0x88, b""))
                await ends_with(wire, None)
        with check.row("a reason of 123 bytes"):
            async with opened(gateway) as wire:
                wire.write(masked(0x88, (1000).to_bytes(2, "big") + b"x" * 123))
                await ends_with(wire, 1000)
        with check.row("a reason that is no UTF-8"):
            async with opened(gateway) as wire:
                wire.write(masked(0x88, (1000).to_bytes(2, "big") + b"\xff"))
                await ends_with(wire, 1007)


@case("CVE-2024-23672: who never answers a close, never reads or closes one side only is freed", seconds=60)
async def lingering():
    with Gateway(SERVER_HEARTBEAT_MS=1000, SERVER_GRACE_MS=500, SERVER_LIMITS_HANDSHAKE_MS=1500) as gateway:
        left = lambda: gateway.metric("parley_connections")
        descriptors = gateway.descriptors()
        deaf = [Deaf(gateway, "lingering") for _ in range(10)]
        page = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        deaf += [Deaf(gateway, data=page * 60) for _ in range(10)]
        async with contextlib.AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(opened(gateway, "lingering")) for _ in range(10)]
            for wire in wires:
                wire.write(masked(0x83, b""))
                equal((await close_of(wire))[0], 1002, "a bad frame")
            # They keep their sockets open: only the server can end these.
            halves = [await stack.enter_async_context(opened(gateway, "lingering")) for _ in range(10)]
            for wire in halves:
                wire.writer.write_eof()
                await wire.end()
            trickles = [Deaf(gateway, data=page * 60) for _ in range(5)]

            async def trickle():
                while True:
                    for one in trickles:
                        with contextlib.suppress(OSError):
                            one.socket.recv(1)
                    await asyncio.sleep(0.2)

            trickling = asyncio.create_task(trickle())
            await gateway.until(lambda: left() <= 1, 20, "all connections are gone")
            await gateway.until(lambda: gateway.descriptors() <= descriptors + 1, 5, "and their descriptors")
            trickling.cancel()
        for one in deaf + trickles:
            one.socket.close()


@case("CVE-2022-25762: sends while another thread closes the connection", seconds=600)
async def crossing():
    with Gateway(SERVER_LOOPS=4) as gateway:
        async with await Client.connect(gateway.url, "revoker") as revoker:
            await revoker.call("conversation.createIfNotExists", conversation="crossing")
            async with await Client.connect(gateway.url, session={"token": token("app", tokenType="app")}) as app:
                for number in range(scaled(40, 2000)):
                    user = f"crossing{number}"
                    victims = [await Client.connect(gateway.url, user) for _ in range(3)]
                    for victim in victims:
                        await victim.start("conversation.createIfNotExists", conversation="crossing")
                        await victim.start("subscribe", topic="messages:crossing")
                        for n in range(10):
                            await victim.start("conversation.send", conversation="crossing", text=f"{n}")
                    await app.call("session.revoke", user=user)
                    equal({await victim.close_code() for victim in victims}, {4003}, "close codes")
            equal("time" in await revoker.call("ping"), True, "the gateway lives")
        await gateway.until(lambda: gateway.metric("parley_connections") <= 1, 10, "all connections are gone")
